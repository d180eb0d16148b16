/**
 * `npm run bench:pricing`: the pricing room alone, without a service around it: against `JSON.parse` of the same body, and
 * its growth with lines and benefits. See docs/measurements/pricing.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, runCommandLine, running } from '../packages/tools/src/command-line/strict.ts';
import { readNumber } from './options.ts';
import { provideBenchPackages } from './packages.ts';
import { answerCell, BASKETS_PER_CELL, finishesWithin, prepareCell } from './pricing/cell.ts';
import { runDearest } from './pricing/dearest/run.ts';
import { describeGrowth, type GrowthCell, growthTable, judgeGrowth, measureGrowth } from './pricing/growth.ts';
import { growthPicture } from './pricing/growth-picture.ts';
import { figuresOf, measureInTurns, ratios, type Turns } from './pricing/measure.ts';
import { ABOUT, PROGRAMMES } from './pricing/programmes.ts';
import { measureRules } from './pricing/rule-costs.ts';
import { describeMachine } from './pricing/surroundings.ts';
import { renderSvg } from './report/render.ts';
import { showSpread } from './report/spread.ts';
import { type Table, toText } from './report/table.ts';

const ROUNDS = 5;
const PARSE = 'JSON.parse of the same body';
const USUAL = { lines: 20, benefits: 100 } as const;
const LARGEST = { lines: 200, benefits: 500, mostMs: 5 } as const;
const TURN_CPU_MS = 20;
const TURNS_PER_ROUND = 20;
const PROBE_MS = 10_000;
const US_PER_MS = 1000;

const command = new Command('npm run bench:pricing --')
  .description('the pricing room alone: against JSON.parse of the same body, and its growth with lines and benefits')
  .option('--rounds <n>', `rounds over everything that is compared (${ROUNDS})`)
  .option('--short', 'one round: shows that everything works, its figures mean nothing')
  .action(
    running(
      'bench:pricing',
      async ({ rounds, short }: { readonly rounds?: string; readonly short?: boolean }) => {
        await main(short ? 1 : (readNumber('--rounds', rounds) ?? ROUNDS));
        return 0;
      },
      1,
    ),
  );
command
  .command('rules')
  .description(
    'what single rules cost: groups, grants, limits, spread, gifts in the basket, net minimums, weighed goods',
  )
  .action(
    running(
      'bench:pricing',
      async () => {
        for (const text of describeMachine(ROUNDS)) console.log(text);
        show((await measureRules(turnsOf(ROUNDS))).table);
        return 0;
      },
      1,
    ),
  );
command
  .command('dearest')
  .description('searches for the basket that takes most CPU to price')
  .option('--seed <n>', 'the start of the search', '1')
  .option('--seconds <n>', 'its length', '60')
  .option('--replay <file>', 'measures the specimens of a file again, and searches nothing')
  .action(
    running(
      'bench:pricing',
      async ({ seed, seconds, replay }: Record<'seed' | 'seconds', string> & { readonly replay?: string }) => {
        runDearest({ seed: readNumber('--seed', seed)!, seconds: readNumber('--seconds', seconds)!, replay });
        return 0;
      },
      1,
    ),
  );
await runCommandLine(command, 'bench:pricing', process.argv.slice(2));

async function main(rounds: number): Promise<void> {
  await provideBenchPackages();
  const machine = describeMachine(rounds);
  for (const text of machine) console.log(text);
  for (const programme of PROGRAMMES) console.log(`  ${programme}: ${ABOUT[programme]}`);

  const usual = await measureUsual(rounds);
  show(usual.table);
  const rules = await measureRules(turnsOf(rounds));
  show(rules.table);
  const grid: GrowthCell[] = [];
  const statements: string[] = [];
  for (const programme of PROGRAMMES) {
    const cells = await measureGrowth(programme, rounds);
    grid.push(...cells);
    statements.push(describeGrowth(programme, cells));
    show(growthTable(programme, cells));
  }
  console.log('Cost grows no faster than lines × matching benefits:');
  for (const statement of statements) console.log(`  ${statement}`);
  console.log();
  const largest = measureLargest(grid);
  show(largest);

  const folder = join(
    import.meta.dirname,
    'results',
    `pricing-${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}`,
  );
  mkdirSync(folder, { recursive: true });
  const picture = growthPicture(grid);
  writeFileSync(join(folder, `${picture.name}.svg`), await renderSvg(picture));
  const growth = PROGRAMMES.map((name) => ({
    name,
    ...judgeGrowth(grid.filter(({ programme }) => programme === name)),
  }));
  const results = { machine, usual: usual.figures, rules: rules.figures, growth, statements, grid };
  writeFileSync(join(folder, 'pricing.json'), `${JSON.stringify(results, undefined, 1)}\n`);
  console.log(`figures and picture: ${folder}`);
}

function turnsOf(rounds: number): Turns {
  return { rounds, turnsPerRound: TURNS_PER_ROUND, cpuMs: TURN_CPU_MS, batch: BASKETS_PER_CELL };
}

function show(table: Table): void {
  console.log(`\n${toText(table)}`);
}

/** Measures pricing under each programme beside parsing the same bodies. */
async function measureUsual(rounds: number): Promise<{ table: Table; figures: Record<string, readonly number[]> }> {
  const finishing = PROGRAMMES.filter((programme) => finishesWithin({ ...USUAL, programme }, PROBE_MS));
  const cells = finishing.map((programme) => prepareCell({ ...USUAL, programme }));
  const bodies = prepareCell({ ...USUAL, programme: PROGRAMMES[0] }).bodies;
  const contenders = [
    { name: PARSE, run: (turn: number) => JSON.parse(bodies[turn % bodies.length] as string) },
    ...cells.map((cell) => ({ name: cell.programme as string, run: (turn: number) => answerCell(cell, turn) })),
  ];
  const figures = await measureInTurns(contenders, turnsOf(rounds));
  const parsed = figuresOf(figures, PARSE);
  const rows = contenders.map(({ name }) => {
    const costs = figuresOf(figures, name);
    const times = ratios(costs, parsed);
    const verdict = name === PARSE ? '' : Math.max(...times) < 1 ? 'yes' : 'NO';
    return [name, showSpread(costs), showSpread(times), verdict];
  });
  for (const programme of PROGRAMMES) {
    if (!finishing.includes(programme)) rows.push([programme, `over ${PROBE_MS / US_PER_MS} s`, '', 'NO']);
  }
  return {
    table: {
      title: `${USUAL.lines} lines × ${USUAL.benefits} benefits: CPU-µs per basket, worst round (best … worst)`,
      head: ['', 'CPU-µs', 'times JSON.parse', 'less?'],
      rows,
    },
    figures: Object.fromEntries(figures),
  };
}

function measureLargest(grid: readonly GrowthCell[]): Table {
  const { lines, benefits, mostMs } = LARGEST;
  const rows = PROGRAMMES.map((name) => {
    const cell = grid.find((other) => other.programme === name && other.lines === lines && other.benefits === benefits);
    if (!cell?.costs) return [name, 'not finished in time', 'NO'];
    const costs = cell.costs.map((us) => us / US_PER_MS);
    return [name, showSpread(costs), Math.max(...costs) < mostMs ? 'yes' : 'NO'];
  });
  return {
    title: `${lines} lines × ${benefits} benefits: CPU-ms per basket, worst round (best … worst)`,
    head: ['', 'CPU-ms', `under ${mostMs}?`],
    rows,
  };
}
