/**
 * The long form of the stress test: sales with a killed caller, full disks, a second process on the outbox and a dying
 * service, mixed at random. Prints the figures; exits 1 when anything was lost, came twice or is named nowhere.
 */
import '../../../../scripts/own-programs.mjs';
import { buildPackage } from '../../../../scripts/package/build.ts';
import { cleanUp } from '../../../../test/support/cleanup.ts';
import { Command, runCommandLine } from '../../../tools/src/command-line/strict.ts';

const EVERY_MS = 10_000;

const command = new Command('npm run stress:client --')
  .description(
    'sales under faults of caller, disk and service; ends with 0 when nothing was lost and nothing came twice',
  )
  .argument('[sales]', 'so many sales', '20000')
  .argument('[seed]', 'of the faults', '1')
  .argument('[minutes]', 'at most so long', '60')
  .action(async (sales: string, seed: string, minutes: string) => {
    process.exitCode = await play(Number(sales), Number(seed), Number(minutes));
  });
await runCommandLine(command, 'stress:client', process.argv.slice(2));

async function play(sales: number, seed: number, minutes: number): Promise<number> {
  buildPackage('client');
  // Loaded only now, because it imports the package.
  const { playStress } = await import('./stress.ts');
  let shownAtMs = performance.now();
  const options = { sales, seed, minutes, tills: 4, tillFaultMs: 400, serviceFaultMs: 15_000 };
  const run = await playStress(options, (sold) => {
    if (performance.now() - shownAtMs < EVERY_MS) return;
    shownAtMs = performance.now();
    process.stderr.write(`${sold} sales\n`);
  });
  process.stdout.write(`${JSON.stringify(run, null, 2)}\n`);
  cleanUp();
  return run.faults.length > 0 ? 1 : 0;
}
