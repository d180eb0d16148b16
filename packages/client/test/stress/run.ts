/**
 * The long form of the stress test: `npm run stress:client -- [sales] [seed] [minutes at most]`. Sales with a killed caller, full disks, a
 * second process on the outbox and a dying service, mixed at random. Prints the figures; exits 1 when anything was lost,
 * came twice or is named nowhere.
 */
import { buildPackage } from '../../../../scripts/package/build.ts';
import { cleanUp } from '../../../../test/support/cleanup.ts';
import { playStress } from './stress.ts';

const [sales = 20_000, seed = 1, minutes = 60] = process.argv.slice(2).map(Number);
const EVERY_MS = 10_000;
buildPackage('client');
let shownAtMs = performance.now();
const options = { sales, seed, minutes, tills: 4, tillFaultMs: 400, serviceFaultMs: 15_000 };
const run = await playStress(options, (sold) => {
  if (performance.now() - shownAtMs < EVERY_MS) return;
  shownAtMs = performance.now();
  process.stderr.write(`${sold} sales\n`);
});
process.stdout.write(`${JSON.stringify(run, null, 2)}\n`);
cleanUp();
process.exitCode = run.faults.length > 0 ? 1 : 0;
