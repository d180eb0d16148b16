import { priceBasket, limitedUses } from '../../src/pricing/price.ts';
import { Work } from '../../src/pricing/work.ts';
import { buildMember, buildVenue } from '../pricing/support/programme.ts';
import { buildBasket, buildLine } from '../pricing/support/basket.ts';
const which = process.argv[2]!;
const many = (count: number, f: (n: number) => object) => Array.from({ length: count }, (_, n) => ({ benefitId: `b-${n}`, ...f(n) }));
const shapes: Record<string, object[]> = {
  sets: many(500, (n) => ({ kind: 'buy_x_get_y', buy: { quantity: 1 + (n % 5), combinable: n % 2 === 0 }, get: { quantity: 1 + (n % 4), percent: 20 + (n % 80) } })),
  units: many(500, (n) => ({ kind: 'line_percent', percent: 1 + (n % 50), maximumUnits: 2 })),
  bundles: many(500, (n) => ({ kind: 'bundle_price', items: [{ quantity: 1 + (n % 3) }, { quantity: 1 }], percent: 10 + (n % 50) })),
  saving: many(500, (n) => ({ kind: 'line_percent', percent: 1 + (n % 50), minimumSaving: 100000 + n })),
  groups: many(500, (n) => ({ kind: 'line_percent', percent: 1 + (n % 50), group: 'g' })),
};
const byPlace = new Map<string, number>();
if (process.argv[3] === 'trace') {
  const original = Work.prototype.count;
  Work.prototype.count = function (steps: number) { const at = new Error().stack!.split('\n').slice(2, 4).map((x) => x.replace(/.*\/(src[^)]*).*/, '$1')).join(' < '); byPlace.set(at, (byPlace.get(at) ?? 0) + steps); return original.call(this, steps); };
}
for (const units of [1, 3, 100]) {
  byPlace.clear();
  const lines = Array.from({ length: 200 }, (_, n) => buildLine({ lineId: `l${n}`, productId: `p${n}`, productGroupId: `group-${n % 60}`, quantity: units, unitPrice: 1000 + ((n * 37) % 900) }));
  const basket = buildBasket(lines);
  const venue = buildVenue(shapes[which] as never, { groups: { g: { atMost: 3 } } });
  const available = new Map(limitedUses(venue, basket.requestedAt).map(({ usageKey, limit }) => [usageKey, limit]));
  const member = buildMember();
  for (let i = 0; i < Number(process.argv[4] ?? 1); i++) priceBasket({ basket, venue, member, available });
  const c0 = process.cpuUsage();
  const d = priceBasket({ basket, venue, member, available });
  const c1 = process.cpuUsage(c0); const ms = (c1.user + c1.system) / 1000;
  const e = priceBasket({ basket, venue, member, available, trace: true });
  console.log(which, units, d.status, 'ms', ms.toFixed(1), 'steps', e.trace!.steps, e.trace!.method, d.status === 'applied' ? basket.totals.total - d.totals.total : 0);
  console.log([...byPlace].sort((a, b) => b[1] - a[1]).slice(0, 6).map(([k, v]) => `   ${v.toFixed(0)} ${k}`).join('\n'));
}
