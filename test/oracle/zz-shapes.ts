// coupons x lines and campaigns: saved by new engine, old engine (by path), optimum where known
import { buildBasket, buildLine } from '../pricing/support/basket.ts';
import { Random } from '../../src/tools/simulator/random.ts';
const [what, a, b, n, steps] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4]), Number(process.argv[5]), Number(process.argv[6] ?? 20000)];
const oldRoot = process.argv[7] ?? '/work/wt/base';
type B = any;
async function engineOf(root: string) {
  const { priceBasket, limitedUses } = await import(`${root}/src/pricing/price.ts`);
  const { buildVenue, buildMember } = await import(`${root}/test/pricing/support/programme.ts`);
  return {
    priceFully(basket: any, benefits: any, rest: any) {
      const venue = buildVenue([...benefits], {}, []);
      const member = buildMember({});
      const available = new Map(limitedUses(venue, basket.requestedAt, member).map(({ usageKey, limit }: any) => [usageKey, limit]));
      return priceBasket({ basket, member, venue, available, ...rest });
    },
    netCostOf(basket: any, d: any) { return d.status === 'applied' ? d.totals.total : basket.totals.total; },
  };
}
const mine = await engineOf('/work/wt/engine');
const old = oldRoot === 'none' ? undefined : await engineOf(oldRoot);
function coupons(random: Random) {
  const lines = Array.from({ length: b }, (_, i) => buildLine({ lineId: `l${String(i).padStart(3, '0')}`, productId: 'p', quantity: 1, unitPrice: random.between(500, 9000) }));
  const benefits = Array.from({ length: a }, (_, i) => ({ benefitId: `c${i}`, kind: 'line_percent', percent: random.between(5, 50), maximumUnits: random.between(1, 3) })) as unknown as B;
  return { lines, benefits };
}
function optimum(lines: any[], benefits: any) {
  const slots = benefits.flatMap((x: any) => Array.from({ length: x.maximumUnits }, () => x.percent)).sort((x: number, y: number) => y - x);
  const prices = lines.map((l) => l.unitPrice).sort((x: number, y: number) => y - x);
  let s = 0; for (let i = 0; i < Math.min(slots.length, prices.length); i++) s += Math.round(prices[i] * slots[i] / 100);
  return s;
}
function campaigns(random: Random) {
  const ids = ['a', 'b', 'c', 'd'];
  const lines = Array.from({ length: random.between(a, b) }, (_, i) => { const id = random.pick(ids); return buildLine({ lineId: `l${String(i).padStart(3, '0')}`, productId: id, productGroupId: id < 'c' ? 'g' : 'h', quantity: random.pick([1, 1, 1, 2, 3]), unitPrice: random.between(500, 9000) }); });
  const sel = () => random.pick([{}, { appliesTo: { productGroupIds: ['g'] } }, { appliesTo: { productIds: ['a', 'c'] } }]);
  const s1 = sel(); const s2 = sel();
  const benefits = [
    { benefitId: 'b1', kind: 'buy_x_get_y', buy: { quantity: 2, ...s1 }, get: { quantity: 1, ...s1 } },
    { benefitId: 'b2', kind: 'buy_x_get_y', buy: { quantity: 1, ...s2 }, get: { quantity: 1, ...s2, percent: 50 } },
    { benefitId: 'b3', kind: 'bundle_price', items: [{ quantity: 1, appliesTo: { productIds: ['a'] } }, { quantity: 1, appliesTo: { productIds: ['c'] } }], bundlePrice: random.between(3000, 9000) },
    { benefitId: 'b4', kind: 'line_percent', percent: 10 },
    { benefitId: 'b5', kind: 'line_percent', percent: 30, maximumUnits: random.between(1, 4), ...sel() },
  ] as unknown as B;
  return { lines, benefits };
}
let sums = { best: 0, mine: 0, old: 0 }; let exact = 0, exactOld = 0, worse = 0, better = 0, notBest = 0; let ms = 0, msOld = 0; let worst = 1;
const only = process.env.SEED ? Number(process.env.SEED) : 0;
for (let seed = 1; seed <= n; seed++) {
  if (only && seed !== only) continue;
  const random = new Random(seed);
  const { lines, benefits } = what === 'coupons' ? coupons(random) : campaigns(random);
  const basket = buildBasket(lines as any);
  let t = performance.now();
  const d = mine.priceFully(basket, benefits, { trace: true, maximumSteps: steps }); ms += performance.now() - t;
  const m = basket.totals.total - mine.netCostOf(basket, d);
  if (d.trace!.method === 'exact') exact++;
  let o = 0;
  if (old) { t = performance.now(); const e = old.priceFully(basket, benefits, { trace: true, maximumSteps: Number(process.argv[8] ?? 2800) }); msOld += performance.now() - t; o = basket.totals.total - old.netCostOf(basket, e); if (e.trace.method === 'exact') exactOld++; }
  if (only) { console.log(JSON.stringify(benefits)); console.log(lines.map((l: any) => `${l.productId}${l.quantity}x${l.unitPrice}`).join(' ')); }
  const best = what === 'coupons' ? optimum(lines as any, benefits) : Math.max(m, o);
  sums.best += best; sums.mine += m; sums.old += o;
  if (m < best) { notBest++; worst = Math.min(worst, m / best); if (what !== 'coupons') console.log('seed', seed, 'lines', lines.length, m, o, d.trace!.method, d.trace!.mostMissed); }
  if (m < o) worse++; if (m > o) better++;
}
console.log(what, a, b, 'n', n, { mine: (sums.mine / sums.best).toFixed(4), old: (sums.old / sums.best).toFixed(4), exact, exactOld, worse, better, notBest, worst: worst.toFixed(4), ms: (ms / n).toFixed(1), msOld: (msOld / n).toFixed(1) });
