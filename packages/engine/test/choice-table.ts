/**
 * `.toolchain/bin/node packages/engine/test/choice-table.ts` prints what the engine saves on all drawn baskets beside what the engine before saved
 * (`support/drawn.ts`), what coupons save beside the assignment's optimum, and whether the order of lines changes anything. It takes a
 * minute. What can be saved at most an integer programme says (`integer-programme.long.test.ts`).
 */
import { Random } from '../../simulator/src/random.ts';
import { buildBasket } from './support/basket.ts';
import { asksForNet, DRAWN, SAVED_BEFORE, savedOn } from './support/drawn.ts';
import { drawShape } from './support/shapes.ts';

interface Row {
  baskets: number;
  saved: number;
  before: number;
  worst: number;
  equal: number;
  below98: number;
}

const rows = new Map<string, Row>();

function add(name: string, saved: number, before: number): void {
  const row = rows.get(name) ?? { baskets: 0, saved: 0, before: 0, worst: 1, equal: 0, below98: 0 };
  const part = before > 0 ? saved / before : 1;
  row.baskets += 1;
  row.saved += saved;
  row.before += before;
  row.worst = Math.min(row.worst, part);
  if (saved === before) row.equal += 1;
  if (part < 0.98) row.below98 += 1;
  rows.set(name, row);
}

for (const [name, { from, draw }] of Object.entries(DRAWN))
  SAVED_BEFORE[name]!.forEach((before, at) => {
    const drawn = draw(from + at);
    const half = name === 'shapes' ? ` ${at < 1_000 ? '1' : '1001'} on` : '';
    add(`${name}${half}${asksForNet(drawn) ? ', net minimum' : ''}`, savedOn(drawn), before);
  });
console.table(
  Object.fromEntries(
    [...rows].map(([name, { baskets, saved, before, worst, equal, below98 }]) => [
      name,
      {
        baskets,
        'Σ ÷ before': (saved / before).toFixed(5),
        worst: worst.toFixed(3),
        equal: `${Math.round((100 * equal) / baskets)} %`,
        'below 98 %': below98,
      },
    ]),
  ),
);

const ORDERS = 2_000;
let differing = 0;
for (let seed = 1; seed <= ORDERS; seed++) {
  const { basket, benefits } = drawShape(seed);
  const random = new Random(seed);
  const keyed = basket.lines.map((line) => ({ line, at: random.below(1_000_000) })).sort((a, b) => a.at - b.at);
  const turned = buildBasket(keyed.map(({ line }) => line));
  if (savedOn({ basket, benefits }) !== savedOn({ basket: turned, benefits })) differing += 1;
}
console.log(`${ORDERS} baskets with their lines in another order: ${differing} differ`);
