import { findRequestMismatch } from '../../basket/identities.ts';
import { findReferenceFault } from '../../basket/references.ts';
import { findBasketRequestFault } from '../../basket/schema.ts';
import type { BasketRequest } from '../../contract/basket-request.ts';
import { checkMemberShape } from '../../programme/member-check.ts';
import type { BasketRecord, RecordedMember } from '../../recording/record.ts';

/** A basket of the input with its record; a plain basket call's body has none. */
export interface BasketLine {
  readonly basket: BasketRequest;
  readonly record: Pick<BasketRecord, 'member' | 'used' | 'clockOffsetMs' | 'answer' | 'sample'> | undefined;
}

export type ReadLine = { readonly value: BasketLine; readonly fault?: undefined } | { readonly fault: string };

const ANYBODY = { programmeId: 'any', loyaltyId: 'any', status: 'active' };
const STATUSES = ['active', 'paused', 'expired', 'blocked'];

/** Parses a line: a record of the recording, or a basket request. A fault is a sentence for people. */
export function readBasketLine(text: string): ReadLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'no JSON' };
  }
  if (!isObject(value)) return { fault: 'no JSON object' };
  const isRecord = 'basket' in value;
  const basket = isRecord ? value['basket'] : value;
  const fault = findBasketRequestFault(basket);
  if (fault) return { fault: `${fault.field || 'the basket'}: expected ${fault.expected}, received ${fault.received}` };
  const request = basket as BasketRequest;
  const mismatch = findReferenceFault(request) ?? findRequestMismatch(request);
  if (mismatch) return { fault: `${mismatch.field}: expected ${mismatch.expected}, received ${mismatch.received}` };
  if (!isRecord) return { value: { basket: request, record: undefined } };
  const { member, used, clockOffsetMs, answer, sample } = value;
  if (member !== null && !isMember(member)) return { fault: 'member: expected null or status and grants' };
  if (!isUsed(used)) return { fault: 'used: expected units per limited benefit' };
  if (!isOffset(clockOffsetMs)) return { fault: 'clockOffsetMs: expected a whole number of milliseconds' };
  if (!isObject(answer) || !Number.isSafeInteger(answer['total'])) return { fault: 'answer: expected a total' };
  if (!isSample(sample)) return { fault: 'sample: expected a share above 0, at most 1' };
  const known = {
    member,
    used,
    ...(sample !== undefined && { sample }),
    ...(clockOffsetMs !== undefined && { clockOffsetMs }),
  };
  return { value: { basket: request, record: { ...known, answer: answer as unknown as BasketRecord['answer'] } } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMember(value: unknown): value is RecordedMember {
  if (!isObject(value) || !STATUSES.includes(value['status'] as string)) return false;
  const { grants, tier, shareParts } = value;
  const isGrants = Array.isArray(grants) && checkMemberShape({ ...ANYBODY, grants }, '') === undefined;
  return (
    isGrants && (shareParts === undefined || isUsed(shareParts)) && (tier === undefined || typeof tier === 'string')
  );
}

/** A record that somebody made need not have one. */
function isOffset(value: unknown): value is number | undefined {
  return value === undefined || Number.isSafeInteger(value);
}

/** A record that somebody made need not have one. */
function isSample(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && value > 0 && value <= 1);
}

function isUsed(value: unknown): value is Record<string, number> {
  return (
    isObject(value) && Object.values(value).every((units) => Number.isSafeInteger(units) && (units as number) >= 0)
  );
}
