/**
 * The choice of benefits on a basket as an integer programme, for a solver that shares nothing with the engine. It knows the
 * words that `shapes.ts` draws: percentages with a maximum of units and of money, sets of the same goods, bundles at a
 * percentage off, and a percentage on the order. It computes in fractions of a minor unit, so it may differ from the
 * engine by a minor unit for each line.
 */
import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';

interface Goods {
  readonly appliesTo?: { readonly productIds?: readonly string[]; readonly productGroupIds?: readonly string[] };
}

type Benefit = Goods & {
  readonly kind: string;
  readonly percent: number;
  readonly maximumUnits?: number;
  readonly maximumDiscount?: number;
  readonly buy: Goods & { readonly quantity: number; readonly combinable?: boolean };
  readonly get: Goods & { readonly quantity: number; readonly percent: number };
  readonly items: readonly (Goods & { readonly quantity: number })[];
};

function fits(line: BasketLine, { appliesTo }: Goods): boolean {
  if (!appliesTo) return true;
  const { productIds, productGroupIds } = appliesTo;
  return productIds?.includes(line.productId) === true || productGroupIds?.includes(line.productGroupId ?? '') === true;
}

/** The programme in the CPLEX LP format; its optimum is the most that a guest can save, in minor units. */
export function integerProgrammeOf({ lines }: BasketRequest, definitions: readonly unknown[]): string {
  const benefits = definitions as readonly Benefit[];
  const objective: string[] = [];
  const rules: string[] = [];
  const integers: string[] = [];
  /** Per line what uses a unit for itself, and what is part of a set or bundle. */
  const exclusive = lines.map((): string[] => []);
  const grouped = lines.map((): string[] => []);
  const ofOrder = benefits.filter(({ kind }) => kind === 'order_percent');
  const rest = ofOrder.reduce((part, { percent }) => part * (1 - percent / 100), 1);
  const gain = (amount: number, variable: string): unknown =>
    objective.push(`+ ${(amount * rest).toFixed(6)} ${variable}`);
  const integer = (name: string): string => {
    integers.push(name);
    return name;
  };
  const sum = (terms: readonly string[], factor = 1): string => terms.map((name) => `+ ${factor} ${name}`).join(' ');

  benefits.forEach((benefit, b) => {
    if (benefit.kind === 'line_percent') {
      const own: string[] = [];
      const saved: string[] = [];
      lines.forEach((line, i) => {
        if (!fits(line, benefit)) return;
        const units = integer(`x${b}_${i}`);
        own.push(units);
        exclusive[i]!.push(units);
        const each = (line.unitPrice * benefit.percent) / 100;
        if (benefit.maximumDiscount === undefined) gain(each, units);
        else saved.push(`- ${each} ${units}`);
      });
      if (own.length === 0) return;
      if (benefit.maximumUnits !== undefined) rules.push(`${sum(own)} <= ${benefit.maximumUnits}`);
      if (benefit.maximumDiscount !== undefined) {
        gain(1, `money${b}`);
        rules.push(`money${b} ${saved.join(' ')} <= 0`, `money${b} <= ${benefit.maximumDiscount}`);
      }
    }
    if (benefit.kind === 'bundle_price') {
      const bundles = integer(`n${b}`);
      benefit.items.forEach((item, at) => {
        const own = lines.flatMap((line, i) => {
          if (!fits(line, item)) return [];
          const units = integer(`x${b}_${i}_${at}`);
          exclusive[i]!.push(units);
          grouped[i]!.push(units);
          gain((line.unitPrice * benefit.percent) / 100, units);
          return [units];
        });
        rules.push(`${sum(own)} - ${item.quantity} ${bundles} = 0`);
      });
    }
    if (benefit.kind === 'buy_x_get_y') {
      const { buy, get } = benefit;
      const row = lines.map((line, i) => ({ line, i })).filter(({ line }) => fits(line, buy));
      row.sort((one, other) => other.line.unitPrice - one.line.unitPrice);
      const [bought, given]: [string[], string[]] = [[], []];
      row.forEach(({ line, i }, at) => {
        const [buys, gives] = [integer(`b${b}_${i}`), integer(`g${b}_${i}`)];
        bought.push(buys);
        given.push(gives);
        if (!buy.combinable) exclusive[i]!.push(buys);
        exclusive[i]!.push(gives);
        grouped[i]!.push(buys, gives);
        gain((line.unitPrice * get.percent) / 100, gives);
        if (row[at + 1]?.line.unitPrice === line.unitPrice) return;
        // Units that take part are cut into sets from the dearest on, and the last of each full set is given (one in each).
        const sets = integer(`s${b}_${at}`);
        rules.push(`${sum(given)} - ${sets} = 0`, `${sum(bought)} - ${buy.quantity} ${sets} >= 0`);
        const most = at === row.length - 1 ? 0 : buy.quantity;
        rules.push(`${sum(bought)} - ${buy.quantity} ${sets} <= ${most}`);
      });
    }
  });
  lines.forEach(({ quantity }, i) => {
    if (exclusive[i]!.length > 0) rules.push(`${sum(exclusive[i]!)} <= ${quantity}`);
    if (grouped[i]!.length > 0) rules.push(`${sum(grouped[i]!)} <= ${quantity}`);
  });
  const ofAll = lines.reduce((all, line) => all + line.quantity * line.unitPrice, 0) * (1 - rest);
  objective.push(`+ ${ofAll.toFixed(6)} all`);
  rules.push('all = 1');
  const rows = rules.map((rule, at) => ` r${at}: ${rule}`);
  return [
    'Maximize',
    ` saved: ${objective.join('\n ')}`,
    'Subject To',
    ...rows,
    'General',
    ` ${integers.join('\n ')}`,
    'End',
    '',
  ].join('\n');
}
