import { KINDS } from '../benefits/register.ts';
import { CONDITION_FIELDS, LEVEL_FIELDS } from './condition-fields.ts';
import { type Fields, isAmount } from './fields.ts';
import { type Amount, entriesOf, type InCurrency } from './words.ts';

/** Amounts of money in the configuration. */

/** The fields of a benefit that hold an amount, of whatever kind, by their schemas. */
export const AMOUNT_FIELDS: readonly string[] = [
  ...new Set(
    [...Object.values(KINDS).map(({ fields }) => fields), CONDITION_FIELDS, ...Object.values(LEVEL_FIELDS)].flatMap(
      (fields) => Object.keys(fields).filter((name) => isAmount((fields as Fields)[name]!)),
    ),
  ),
];

/** A limit that counts money has an amount as its quantity. */
interface LimitInMoney {
  readonly counts: string;
  readonly quantity: Amount;
}

interface LimitedInMoney {
  readonly limit?: LimitInMoney | readonly LimitInMoney[];
}

/** Goods that a basket has to cost so much of. */
interface RequirementInMoney {
  readonly spend?: Amount;
}

interface RequiredInMoney {
  readonly requires?: RequirementInMoney | readonly RequirementInMoney[];
}

/** The amounts of a definition with the names of their fields, as they are written. */
export function amountsOf(definition: object): [field: string, amount: Amount][] {
  const fields = definition as Readonly<Record<string, Amount | undefined>>;
  const amounts = AMOUNT_FIELDS.flatMap((field) => {
    const amount = fields[field];
    return amount === undefined ? [] : [[field, amount] as [string, Amount]];
  });
  const { limit } = definition as LimitedInMoney;
  for (const [at, { counts, quantity }] of entriesOf(limit).entries()) {
    if (counts === 'money') amounts.push([Array.isArray(limit) ? `limit[${at}].quantity` : 'limit.quantity', quantity]);
  }
  const { requires } = definition as RequiredInMoney;
  for (const [at, { spend }] of entriesOf(requires).entries()) {
    if (spend !== undefined)
      amounts.push([Array.isArray(requires) ? `requires[${at}].spend` : 'requires.spend', spend]);
  }
  return amounts;
}

/** True for amounts that would mean something else in another currency. Nothing is nothing in every currency. */
export function isBare(amount: Amount): amount is number {
  return typeof amount === 'number' && amount > 0;
}

/** The currencies for which every map of the definition has an amount. Undefined where it has no map. */
export function currenciesOf(definition: object): readonly string[] | undefined {
  const maps = amountsOf(definition).flatMap(([, amount]) => (typeof amount === 'number' ? [] : [Object.keys(amount)]));
  const [first, ...others] = maps;
  return first?.filter((currency) => others.every((own) => own.includes(currency)));
}

/** The definition with its amounts in a currency; an amount that is missing there is 0. */
export function inCurrency<Definition extends object>(
  definition: Definition,
  currency: string | undefined,
): InCurrency<Definition> {
  const amountIn = (amount: Amount): number =>
    typeof amount === 'number' ? amount : (currency && amount[currency]) || 0;
  const fields = amountsOf(definition).filter(([field]) => !field.startsWith('limit') && !field.startsWith('requires'));
  const limits = entriesOf((definition as LimitedInMoney).limit).map((limit) =>
    limit.counts === 'money' ? { ...limit, quantity: amountIn(limit.quantity) } : limit,
  );
  const requires = entriesOf((definition as RequiredInMoney).requires).map((requirement) =>
    requirement.spend === undefined ? requirement : { ...requirement, spend: amountIn(requirement.spend) },
  );
  return {
    ...definition,
    ...Object.fromEntries(fields.map(([field, amount]) => [field, amountIn(amount)])),
    ...(limits.length > 0 && { limit: limits }),
    ...(requires.length > 0 && { requires }),
  } as unknown as InCurrency<Definition>;
}
