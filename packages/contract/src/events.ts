import { SALE_STATUSES } from './sale.ts';
import { Channel, Currency, Money, Quantity } from './scalars.ts';
import { type Static, type TObject, type TOptional, type TSchema, Type } from './schema-type.ts';

/**
 * The events of the books: what an entry of the event stream says, with a schema for each `result`. They are versioned as the
 * interface is: a consumer ignores fields that it does not know, and a field never changes its meaning within a major version.
 * A field that the service does not know of a calculation is absent. Money is in minor units of `currency`.
 */
export const EVENT_VERSION = '1.0.0';

type Properties = Readonly<Record<string, TSchema>>;

/** An object without other fields, some of which may be absent. */
function closed<P extends Properties, Q extends Properties>(required: P, optional: Q, description?: string) {
  const properties = { ...required };
  for (const [name, schema] of Object.entries(optional)) Object.assign(properties, { [name]: Type.Optional(schema) });
  const options = { additionalProperties: false, ...(description !== undefined && { description }) };
  return Type.Object(properties, options) as unknown as TObject<P & { [Name in keyof Q]: TOptional<Q[Name]> }>;
}

const text = Type.String();
const name = Type.String({ minLength: 1 });
const instant = Type.String({ format: 'date-time' });
const day = Type.String({ format: 'date' });
const units = Type.Integer({ minimum: 0 });
const of = <S extends TSchema>(schema: S, description: string): S => ({ ...schema, description });

const fundedBy = of(text, 'Who pays for it, as the configuration said.');
const Benefits = Type.Array(closed({ benefitId: name, saved: Money, units }, { fundedBy }));
const Savings = Type.Array(closed({ benefitId: name, saved: Money }, { fundedBy }));
const Uses = Type.Array(closed({ counter: name, units, limit: units }, {}));

const EventLine = closed(
  {
    lineId: name,
    productId: text,
    quantity: Quantity,
    originalLinePrice: Money,
    existingLineDiscountAmount: of(Money, 'The discount of the staff or a campaign that the till sent with the line.'),
    discounts: of(
      Type.Array(closed({ benefitId: name, amount: Money }, {})),
      'The part of each benefit that lies on this line. The parts of a benefit sum to its `saved`.',
    ),
    paid: of(Money, 'What the guest paid for the line.'),
  },
  {
    productGroupId: text,
    existingOrderDiscountAmount: of(
      Money,
      'The share of the line in the order discounts that the till sent; absent where it is 0.',
    ),
  },
);

const head = {
  version: of(Type.Literal(EVENT_VERSION), 'Of this schema.'),
  at: of(instant, 'When it was booked, by Redis’ clock.'),
};
const calculation = { ...head, calculationId: Type.String({ format: 'uuid' }) };

/** Where, when and by what the calculation was made: the dimensions of a warehouse. */
const dimensions = {
  member: of(name, 'The pseudonym of the member, in place of the loyalty ID.'),
  requestedAt: of(instant, 'The till’s own time of the basket, in UTC.'),
  answeredAt: of(
    instant,
    'When the basket was answered. The day of a cost is this one, in the time zone of the venue.',
  ),
  configuration: of(name, 'The version of the configuration that priced it.'),
  programmeId: name,
  venueId: name,
  baxId: text,
  cashRegisterId: text,
  channel: Channel,
  tier: name,
  share: name,
  currency: Currency,
  answered: Type.Enum(['applied', 'unchanged', 'member_not_found']),
  reason: of(name, 'Why the answer left the basket unchanged.'),
};

const status = Type.Enum([...SALE_STATUSES]);
const outcome = { status };
const outcomeMore = { transactionId: name, failureReason: name };
const amounts = {
  lines: of(Type.Array(EventLine), 'Absent where not enough is kept, and where the configuration leaves lines out.'),
  total: of(Money, 'What the guest paid for the basket.'),
};

const grant = { ...head, member: name, programmeId: name, benefitId: name, grantId: name };
const grantMore = {
  quantity: of(units, 'Baskets in which it may be used; without it any number.'),
  from: day,
  to: day,
};
const ended = { ...grantMore, used: of(units, 'Baskets in which it had been used; of a grant with a quantity.') };

/** Parts that several events have, by the names under which the published schema defines them. */
export const EVENT_PARTS = {
  ...calculation,
  ...dimensions,
  ...amounts,
  basketsOfGrant: grantMore.quantity,
  basketsUsed: ended.used,
  line: EventLine,
  benefits: Benefits,
  saving: Savings.items,
  uses: Uses,
  fundedBy,
  saleStatus: status,
  name,
  units,
  day,
  money: Money,
  quantity: Quantity,
};

const result = <const Result extends string>(value: Result) => Type.Literal(value);

/** The schema of the events of each `result`. */
export const EVENT_SCHEMAS = {
  recorded: closed(
    {
      ...calculation,
      result: result('recorded'),
      ...outcome,
      late: Type.Boolean(),
      overRedeemed: units,
      benefits: Benefits,
      uses: Uses,
    },
    { ...dimensions, ...outcomeMore, ...amounts },
    'A sale event settled the calculation. `benefits` were given where `status` is `applied`, and were offered where it is `cancelled`; any other sale has none.',
  ),
  resolved: closed(
    {
      ...calculation,
      result: result('resolved'),
      outcome: of(Type.Enum(['first', 'second']), 'The one of the two outcomes that a person has decided for.'),
      before: of(status, 'The status that stood before.'),
      ...outcome,
      late: Type.Boolean(),
      overRedeemed: units,
      benefits: Benefits,
      uses: Uses,
    },
    { ...dimensions, ...outcomeMore, ...amounts },
    'A person decided between two outcomes of the calculation. What stands here takes the place of the event `recorded`.',
  ),
  returned: closed(
    {
      ...calculation,
      result: result('returned'),
      returnId: name,
      refund: Money,
      lines: Type.Array(closed({ lineId: name, quantity: Quantity, refund: Money }, {})),
      lost: of(Savings, 'What the guest loses of each benefit by this return.'),
      givenBack: of(
        Type.Array(closed({ counter: name, units }, {})),
        'Units of limits and grants that were given back.',
      ),
    },
    {
      ...dimensions,
      ...outcome,
      ...outcomeMore,
      gained: of(Savings, 'By the policy `repriced`: what benefits give to what stays beyond what they gave before.'),
      returnedAt: of(
        closed({}, { venueId: text, cashRegisterId: text, clerkNumber: Type.Integer() }),
        'Where the goods came back, as the till said.',
      ),
    },
    'Goods of the sale came back. `status` and `transactionId` are those of the sale.',
  ),
  expired: closed(
    { ...calculation, result: result('expired'), benefits: Benefits, uses: Uses },
    { ...dimensions, ...amounts },
    'The calculation ended unsold. `lines`, `benefits` and `total` are what was offered, `uses` what was reserved and is free again.',
  ),
  conflict: closed(
    { ...calculation, result: result('conflict'), ...outcome },
    { ...dimensions, ...outcomeMore, recorded: of(closed(outcome, outcomeMore), 'The outcome that stands.') },
    'A sale event reported another outcome than the first one, which stands. `status`, `transactionId` and `failureReason` are those that were refused.',
  ),
  unknown_calculation: closed(
    { ...calculation, result: result('unknown_calculation'), ...outcome },
    outcomeMore,
    'A sale event named a calculation that the service never answered, or does not keep any more.',
  ),
  merged: closed(
    { ...head, result: result('merged'), member: name, into: name },
    { programmeId: name },
    'The member is another one from now on: what stands under `member` belongs to `into`.',
  ),
  erased: closed(
    { ...head, result: result('erased'), member: name },
    {},
    'The member was erased. Forget who stands behind this pseudonym; sums stay.',
  ),
  granted: closed(
    { ...grant, result: result('granted') },
    grantMore,
    'A grant was given, or changed: the last event of a member and `grantId` stands.',
  ),
  revoked: closed({ ...grant, result: result('revoked') }, ended, 'A grant was taken from the member.'),
  grant_ended: closed(
    { ...grant, result: result('grant_ended') },
    ended,
    'The last day of a grant is over everywhere.',
  ),
} as const;

export type EventResult = keyof typeof EVENT_SCHEMAS;
/** An event as a consumer reads it. */
export type LoyaltyEvent = { [Result in EventResult]: Static<(typeof EVENT_SCHEMAS)[Result]> }[EventResult];
export type EventOf<Result extends EventResult> = Static<(typeof EVENT_SCHEMAS)[Result]>;
export type EventLine = Static<typeof EventLine>;
