/**
 * `npm run bench:chain`: the pure chain of a basket call as a multiple of `JSON.parse` of the same body, step by step.
 * See docs/measurements/chain.md.
 */
import { Command, runCommandLine, running } from '../packages/tools/src/command-line/strict.ts';
import { type SignedBody, STEPS, signedBodies } from './chain/chain.ts';
import { readNumber } from './options.ts';
import { figuresOf, measureInTurns, median, ratios } from './pricing/measure.ts';
import { describeMachine } from './pricing/surroundings.ts';
import { showSpread } from './report/spread.ts';
import { toText } from './report/table.ts';

const ROUNDS = 5;
const TURNS = { turnsPerRound: 20, cpuMs: 10, batch: 16 } as const;
const LINES = [5, 20, 200] as const;
const LETTER = 'å';
const PARSE = 'JSON.parse of the same body';

const command = new Command('npm run bench:chain --')
  .description('the pure chain of a basket call against JSON.parse of the same body, step by step')
  .option('--rounds <n>', `rounds over everything that is compared (${ROUNDS})`)
  .action(
    running(
      'bench:chain',
      async ({ rounds }: { readonly rounds?: string }) => {
        const count = readNumber('--rounds', rounds) ?? ROUNDS;
        for (const text of describeMachine(count)) console.log(text);
        for (const lines of LINES) await measure(lines, count);
        return 0;
      },
      1,
    ),
  );
await runCommandLine(command, 'bench:chain', process.argv.slice(2));

async function measure(lines: number, rounds: number): Promise<void> {
  const bodies = signedBodies(lines, LETTER);
  const steps = Object.entries(STEPS) as [string, (body: SignedBody) => unknown][];
  const contenders = [
    { name: PARSE, run: (turn: number) => JSON.parse(bodies[turn % bodies.length]!.text) },
    ...steps.map(([name, run]) => ({ name, run: (turn: number) => run(bodies[turn % bodies.length]!) })),
  ];
  const figures = await measureInTurns(contenders, { ...TURNS, rounds });
  const parsed = figuresOf(figures, PARSE);
  const rows = contenders.map(({ name }) => {
    const costs = figuresOf(figures, name);
    const times = ratios(costs, parsed);
    return [name, showSpread(costs), median(times).toFixed(2), showSpread(times)];
  });
  const bytes = Math.round(bodies.reduce((sum, body) => sum + body.bytes.length, 0) / bodies.length);
  const title = `${lines} lines, ${bytes} bytes, one of them outside ASCII: CPU-µs per call`;
  console.log(`\n${toText({ title, head: ['', 'CPU-µs', 'times JSON.parse, median', 'worst (best … worst)'], rows })}`);
}
