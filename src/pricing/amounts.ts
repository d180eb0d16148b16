/** Amounts of money in the configuration: minor units, or a map from currencies to minor units. */

type AmountByCurrency = Readonly<Record<string, number>>;
export type Amount = number | AmountByCurrency;

/** A definition whose amounts are those of one currency. */
export type InCurrency<Definition> = {
  readonly [Field in keyof Definition]: Exclude<Definition[Field], AmountByCurrency>;
};

/** The fields of a benefit that hold an amount. */
const AMOUNT_FIELDS = [
  'amount',
  'unitPrice',
  'bundlePrice',
  'perSpend',
  'minimumSpend',
  'maximumDiscount',
  'minimumSaving',
] as const;

/** The amounts of a definition with the names of their fields, as they are written. */
export function amountsOf(definition: object): [field: string, amount: Amount][] {
  const fields = definition as Readonly<Record<string, Amount | undefined>>;
  const amounts = AMOUNT_FIELDS.flatMap((field) => {
    const amount = fields[field];
    return amount === undefined ? [] : [[field, amount] as [string, Amount]];
  });
  const { limit } = definition as LimitedInMoney;
  return limit?.counts === 'money' ? [...amounts, [LIMIT_FIELD, limit.quantity]] : amounts;
}

/** A limit that counts money has an amount as its quantity. */
interface LimitedInMoney {
  readonly limit?: { readonly counts: string; readonly quantity: Amount };
}

const LIMIT_FIELD = 'limit.quantity';

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
  const { [LIMIT_FIELD]: quantity, ...amounts } = Object.fromEntries(
    amountsOf(definition).map(([field, amount]) => {
      return [field, typeof amount === 'number' ? amount : (currency && amount[currency]) || 0] as const;
    }),
  );
  const limit = quantity === undefined ? {} : { limit: { ...(definition as LimitedInMoney).limit, quantity } };
  return { ...definition, ...amounts, ...limit } as InCurrency<Definition>;
}
