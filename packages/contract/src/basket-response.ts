import { basketLineFields, OrderDiscount, Totals } from './basket-request.ts';
import { MAX_FOOTER_CHARACTERS } from './limits.ts';
import { DiscountType, Identifier, Money, Percent, Text40, Uuid } from './scalars.ts';
import { type Static, Type } from './schema-type.ts';

/** Body of a `200` answer to the basket call (interface, section 2). */

export const UNCHANGED_REASONS = [
  'no_applicable_benefits',
  'all_lines_excluded',
  'member_inactive',
  'basket_too_small',
] as const;
export type UnchangedReason = (typeof UNCHANGED_REASONS)[number];

export const BasketLineOut = Type.Object({
  ...basketLineFields,
  lineDiscountType: DiscountType,
  lineDiscountPercent: Type.Optional(Percent),
  lineDiscountAmount: Money,
  lineDiscountText: Type.Optional(Text40),
  showLineDiscountText: Type.Boolean(),
  lineDiscountCode: Type.Optional(Type.String({ minLength: 1 })),
  overrideUnitPrice: Type.Optional(Money),
  addedByLoyalty: Type.Optional(Type.Boolean()),
  splitFromLineId: Type.Optional(Identifier),
});

export const AppliedResponse = Type.Object(
  {
    calculationId: Uuid,
    status: Type.Literal('applied'),
    memberLabel: Type.Optional(Text40),
    receiptFooterText: Type.Optional(Type.String({ maxLength: MAX_FOOTER_CHARACTERS })),
    lines: Type.Array(BasketLineOut),
    orderDiscounts: Type.Array(OrderDiscount),
    totals: Totals,
  },
  { additionalProperties: false },
);

export const UnchangedResponse = Type.Object(
  {
    calculationId: Uuid,
    status: Type.Literal('unchanged'),
    reason: Type.Enum([...UNCHANGED_REASONS]),
    memberLabel: Type.Optional(Text40),
  },
  { additionalProperties: false },
);

export const MemberNotFoundResponse = Type.Object(
  { calculationId: Uuid, status: Type.Literal('member_not_found') },
  { additionalProperties: false },
);

export type BasketLineOut = Static<typeof BasketLineOut>;
export type AppliedResponse = Static<typeof AppliedResponse>;
export type UnchangedResponse = Static<typeof UnchangedResponse>;
export type MemberNotFoundResponse = Static<typeof MemberNotFoundResponse>;
export type BasketResponse = AppliedResponse | UnchangedResponse | MemberNotFoundResponse;
