import { Random } from '../../src/tools/simulator/random.ts';
import { netCostOf } from '../pricing/support/price.ts';
import { faultsOfDecision } from '../support/judge.ts';
import { randomCase } from './cases.ts';
import { priceWithEngine } from './engine.ts';
import { addOfferRules } from './offer-rules.ts';
import { findLowestCost } from './oracle.ts';
import { addRules, drawBasketScope } from './rule-cases.ts';
import { drawModifiers } from './unit-cases.ts';
const [kind, from, to] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])];
const verbose = process.argv[5] === 'v';
function drawn(seed: number) {
  const random = new Random(seed);
  const plain = randomCase(random);
  if (kind === 'plain') return plain;
  if (kind === 'rules') return addRules(random, plain);
  if (kind === 'words') return addOfferRules(random, seed % 2 === 0 ? plain : addRules(random, plain));
  const ruled = seed % 2 === 0 ? addRules(random, plain) : plain;
  const d = drawModifiers(random, seed % 4 < 2 ? addOfferRules(random, ruled) : ruled);
  return seed % 3 === 0 ? drawBasketScope(random, d) : d;
}
const count = { cases: 0, exact: 0, wrongExact: 0, dearer: 0, illegal: 0, cheaper: 0, crashed: 0 };
let engineMs = 0;
for (let seed = from; seed < to; seed++) {
  const c = drawn(seed);
  count.cases++;
  let d;
  const t = performance.now();
  try { d = priceWithEngine(c); } catch (e) { count.crashed++; console.log('crash', seed, String((e as Error).stack).split('\n').slice(0, 4).join(' | ')); continue; }
  engineMs += performance.now() - t;
  const { netCosts, benefitIds } = findLowestCost(c); const netCost = netCosts.find((x) => x === netCostOf(c.basket, d)) ?? Math.min(...netCosts);
  const found = netCostOf(c.basket, d);
  const exact = d.trace!.method === 'exact';
  if (exact) count.exact++;
  if (found < netCost) { count.cheaper++; console.log('CHEAPER', seed, found, netCost); }
  if (found > netCost) {
    count.dearer++;
    if (exact) { count.wrongExact++; console.log('WRONG', seed, found, netCost, benefitIds.join()); }
    else if (verbose) console.log('dearer', seed, found, netCost, d.trace!.mostMissed);
  }
  if (d.status === 'applied') {
    const f = [...faultsOfDecision(c.basket, d, new Map(c.products.map((p) => [p.productId, p])))];
    if (f.length) { count.illegal++; console.log('ILLEGAL', seed, f.join('; ')); }
  }
}
console.log(kind, JSON.stringify(count), 'ms/case', (engineMs / count.cases).toFixed(2));
if (verbose && to === from + 1) {
  const c = drawn(from);
  console.log(JSON.stringify({ ...c.programme, products: undefined }, null, 0));
  console.log(JSON.stringify(c.basket.lines.map(({ lineId, productId, quantity, unitPrice, existingLineDiscountAmount: ex, orderDiscountAllocation: al, parentLineId, noDiscount, noPercentageDiscount }) => ({ lineId, productId, quantity, unitPrice, ex, al, parentLineId, noDiscount, noPercentageDiscount }))), JSON.stringify(c.available));
  const d = priceWithEngine(c);
  console.log(JSON.stringify(d.status === 'applied' ? { uses: d.uses, changes: d.trace!.changes } : d));
}
