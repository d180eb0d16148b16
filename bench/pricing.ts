/**
 * `npm run bench:pricing`: CPU time of pricing alone, in µs per basket, with `JSON.parse` of the same body beside it. All rows
 * are measured in turn in each round, so that a slow second of the machine affects all of them.
 */
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { renderAnswer } from '@loyalty/engine/answer/render';
import { decideBasket } from '@loyalty/engine/price';
import { Command, runCommandLine, running } from '../packages/tools/src/command-line/strict.ts';
import { renderTable } from '../packages/tools/src/terminal/table.ts';
import { readNumber } from './options.ts';
import { createBenefits, MEMBER, PROGRAMMES, venueOf } from './pricing/programmes.ts';
import { shopBaskets } from './pricing/shop.ts';
import { median, showNumber, showSpread } from './report/spread.ts';

const BASKETS = 16;
const BENEFITS = 100;
const LINES = [5, 20, 60, 200];
const SEED = 1;
const TURN_US = 100_000;
/** The search is fully optimised only after some thousand baskets. */
const WARM_UP_ROUNDS = 3;
const NOTHING_HELD: ReadonlyMap<string, number> = new Map();

const command = new Command('npm run bench:pricing --')
  .description('CPU time of pricing alone, in µs per basket of a shop, next to JSON.parse of the same body')
  .option('--rounds <n>', 'rounds over all rows, of which the median is printed', '5')
  .action(
    running(
      'bench:pricing',
      async ({ rounds }: { readonly rounds: string }) => {
        console.log(measure(readNumber('--rounds', rounds) ?? 1));
        return 0;
      },
      1,
    ),
  );
await runCommandLine(command, 'bench:pricing', process.argv.slice(2));

function measure(rounds: number): string {
  const rows = PROGRAMMES.flatMap((programme) => LINES.map((lines) => prepare(programme, lines)));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    for (const row of rows) {
      const [priced, parsed] = [cpuUs(row.price), cpuUs(row.parse)];
      if (round < 0) continue;
      row.priced.push(priced);
      row.parsed.push(parsed);
    }
  }
  const table = rows.map(({ programme, lines, priced, parsed }) => [
    programme,
    String(lines),
    showSpread(priced),
    showNumber(median(parsed)),
    showNumber(median(priced) / median(parsed)),
  ]);
  const head = [`${BENEFITS} benefits`, 'lines', 'µs per basket (least … most)', 'JSON.parse µs', 'ratio'];
  return renderTable(head, table, (column) => column > 0);
}

function prepare(programme: (typeof PROGRAMMES)[number], lines: number) {
  const venue = venueOf(createBenefits(programme, BENEFITS));
  const bodies = shopBaskets(BASKETS, lines, SEED).map((basket) => JSON.stringify(basket));
  const baskets = bodies.map((body) => JSON.parse(body) as BasketRequest);
  const price = (at: number) => {
    const basket = baskets[at] as BasketRequest;
    return renderAnswer(basket, decideBasket({ basket, member: MEMBER, venue, available: NOTHING_HELD }).content);
  };
  const parse = (at: number): unknown => JSON.parse(bodies[at] as string);
  return { programme, lines, price, parse, priced: [] as number[], parsed: [] as number[] };
}

/** CPU time of one run in microseconds: every basket is run equally often until the turn is over. */
function cpuUs(run: (at: number) => unknown): number {
  const begun = process.cpuUsage();
  for (let runs = BASKETS; ; runs += BASKETS) {
    for (let at = 0; at < BASKETS; at += 1) run(at);
    const { user, system } = process.cpuUsage(begun);
    if (user + system >= TURN_US) return (user + system) / runs;
  }
}
