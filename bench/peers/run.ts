/**
 * `npm run bench:peers`: the same discounts in our engine and in three others, shown to be equal and then measured side by
 * side. See docs/measurements/pricing.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, runCommandLine, running } from '../../src/tools/command-line/strict.ts';
import { readNumber } from '../options.ts';
import { providePeers } from '../packages.ts';
import { figuresOf, measureInTurns, ratios } from '../pricing/measure.ts';
import { describeMachine } from '../pricing/surroundings.ts';
import { showNumber, showSpread } from '../report/spread.ts';
import { toText } from '../report/table.ts';
import { createCase, SIZE } from './cases.ts';
import { createPeers, findDifferences } from './compare.ts';

const ROUNDS = 7;
const TURN_CPU_MS = 50;
const TURNS_PER_ROUND = 8;
const GOAL = 20;

const command = new Command('npm run bench:peers --')
  .description('the same discounts in our engine and in three others, shown to be equal and measured side by side')
  .option('--rounds <n>', `rounds over all engines (${ROUNDS})`)
  .option('--short', 'one round: shows that everything works, its figures mean nothing')
  .action(
    running(
      'bench:peers',
      async ({ rounds, short }: { readonly rounds?: string; readonly short?: boolean }) => {
        await main(short ? 1 : (readNumber('--rounds', rounds) ?? ROUNDS));
        return 0;
      },
      1,
    ),
  );
await runCommandLine(command, 'bench:peers', process.argv.slice(2));

async function main(rounds: number): Promise<void> {
  await providePeers();
  const machine = describeMachine(rounds);
  for (const text of machine) console.log(text);
  const peerCase = createCase();
  const peers = await createPeers(peerCase);
  const differences = await findDifferences(peers, peerCase);
  if (differences.length > 0) throw new Error(`the engines do not answer alike:\n${differences.join('\n')}`);
  console.log(`${peers.length} engines answered ${SIZE.baskets} baskets alike, and as the rules say`);
  for (const { name, about } of peers) console.log(`  ${name}: ${about}`);

  const { baskets } = SIZE;
  const contenders = peers.map(({ name, price }) => ({ name, run: (turn: number) => price(turn % baskets) }));
  const figures = await measureInTurns(contenders, {
    rounds,
    turnsPerRound: TURNS_PER_ROUND,
    cpuMs: TURN_CPU_MS,
    batch: baskets,
  });
  const [ours, ...others] = peers.map(({ name }) => ({ name, costs: figuresOf(figures, name) }));
  if (!ours) throw new Error('assertion failed: ours is the first');
  const factors = others.map(({ name, costs }) => ({ name, times: ratios(costs, ours.costs) }));
  const rows = [
    [ours.name, showSpread(ours.costs), ''],
    ...others.map(({ name, costs }, index) => [name, showSpread(costs), showSpread(factors[index]?.times ?? [])]),
  ];
  const title = `${SIZE.lines} lines × ${SIZE.rules} rules: CPU-µs per basket, worse end (least … most)`;
  console.log(`\n${toText({ title, head: ['', 'CPU-µs', 'times ours'], rows })}`);
  const least = Math.min(...factors.flatMap(({ times }) => times));
  const verdict = `${showNumber(least)} times the best of them in the worst round; goal ${GOAL}: ${least >= GOAL ? 'kept' : 'NOT KEPT'}`;
  console.log(verdict);

  const folder = join(import.meta.dirname, '..', 'results');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `peers-${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.json`);
  const results = { machine, size: SIZE, verdict, figures: Object.fromEntries(figures) };
  writeFileSync(file, `${JSON.stringify(results, undefined, 1)}\n`);
  console.log(`figures: ${file}`);
}
