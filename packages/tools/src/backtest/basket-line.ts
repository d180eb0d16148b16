import { findBasketRequestFault } from '@loyalty/contract/basket/basket-request';
import { findRequestFaults } from '@loyalty/contract/basket/identities';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { Type } from '@loyalty/contract/schema-type';
import { findBodyFault } from '../../../../src/programme/check.ts';
import { checkMemberShape } from '../../../../src/programme/member-check.ts';
import type { BasketRecord } from '../../../../src/recording/record.ts';

type RecordWords = Pick<BasketRecord, 'member' | 'used' | 'clockOffsetMs' | 'answer' | 'sample'>;

/** A basket of the input with what was recorded beside it; a plain basket call's body has none. */
export interface BasketLine {
  readonly basket: BasketRequest;
  readonly record: RecordWords | undefined;
}

export type ReadLine = { readonly value: BasketLine; readonly fault?: undefined } | { readonly fault: string };

const ANYBODY = { programmeId: 'any', loyaltyId: 'any', status: 'active' };

const units = Type.Record(Type.String(), Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
/** What a record has beside its basket. One that somebody made need have neither a sample nor a clock. */
const Words = Type.Object({
  member: Type.Object({
    status: Type.Enum(['active', 'paused', 'expired', 'blocked']),
    tier: Type.Optional(Type.String()),
    grants: { type: 'array' },
    shareParts: Type.Optional(units),
  }),
  used: units,
  clockOffsetMs: Type.Optional(Type.Integer()),
  answer: Type.Object({ total: Type.Integer() }),
  sample: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
});

/** Parses a line: a record of the recording, or a basket request. A fault is a sentence for people. */
export function readBasketLine(text: string): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'no JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: 'no JSON object' };
  const isRecord = 'basket' in value;
  const basket: unknown = 'basket' in value ? value.basket : value;
  const fault = findBasketRequestFault(basket);
  if (fault) return { fault: `${fault.field || 'the basket'}: expected ${fault.expected}, received ${fault.received}` };
  const request = basket as BasketRequest;
  const { reference, mismatch } = findRequestFaults(request);
  const wrong = reference ?? mismatch;
  if (wrong) return { fault: `${wrong.field}: expected ${wrong.expected}, received ${wrong.received}` };
  if (!isRecord) return { value: { basket: request, record: undefined } };
  const record = value as unknown as RecordWords;
  // Null stands for a member that the programme did not know.
  const member = record.member === null ? { status: 'active', grants: [] } : record.member;
  const unsound =
    findBodyFault(Words, { ...value, member }, '') ?? checkMemberShape({ ...ANYBODY, grants: member.grants }, 'member');
  if (unsound) return { fault: `${unsound.path}: found ${unsound.found}, allowed: ${unsound.allowed}` };
  return { value: { basket: request, record } };
}
