import { hash } from 'node:crypto';
import type { BasketLine, OrderDiscount } from '@loyalty/contract/basket-request';
import { isUuid } from '@loyalty/contract/headers';
import type { PricedMember } from '@loyalty/engine/types';
import { fail, writtenNumber } from './bytes.ts';
import {
  type DependentKind,
  flag,
  head,
  integer,
  type Kind,
  knownText,
  list,
  oneOf,
  optionalInteger,
  pair,
  record,
  text,
  there,
  type ValueOf,
} from './kinds.ts';

/**
 * What is kept of a basket for the retention time, and of a sold one for as long as it may be returned: what prices depend on, the
 * IDs of its lines, and nothing of persons. Percentages are in hundredths; lines and order discounts are named by their places.
 */

const FORMAT = 2;

/** The format and the configuration, with which everything kept begins. Throws where the bytes are of another format. */
export const keptConfiguration: Kind<string> = (bytes, version) => {
  const format = bytes.integer(FORMAT);
  return format === FORMAT ? bytes.text(version) : fail(`its format is ${format}`);
};

const memberKind = oneOf('unknown', 'plain', 'own');
const PLAIN: PricedMember = { status: 'active', grants: [] };

/** An active member with nothing else, as most are, takes no text. */
const member: Kind<PricedMember | undefined> = (bytes, it) => {
  const { status, tier, grants, shareParts } = it ?? PLAIN;
  const isPlain = status === 'active' && tier === undefined && grants.length === 0 && shareParts === undefined;
  const kind = memberKind(bytes, !it ? 'unknown' : isPlain ? 'plain' : 'own');
  if (kind === 'unknown') return undefined;
  return kind === 'plain' ? PLAIN : JSON.parse(bytes.text(JSON.stringify({ status, tier, grants, shareParts })));
};

/** They take two bits. */
const DISCOUNT_TYPES = ['none', 'amount', 'percent', 'none'] as const;

const orderDiscount = record(
  /** `isOwn`: it is one of the service itself that came back (engine/src/answer/own-discounts.ts). */
  head(['type', DISCOUNT_TYPES as readonly OrderDiscount['type'][]], ['isOwn', flag]),
  ['amount', integer],
  ['percent', optionalInteger],
);

/** A fraction is its decimal text, which is exact. */
const quantity: Kind<number> = (bytes, it = 0) => {
  const isWhole = Number.isSafeInteger(it) && it < Number.MAX_SAFE_INTEGER;
  const stored = bytes.integer(isWhole ? it + 1 : 0);
  return stored === 0 ? Number(bytes.text(String(it))) : stored - 1;
};

const existingAmount: DependentKind<number, Pick<BasketLine, 'existingLineDiscountType'>> = (bytes, it, line) =>
  line.existingLineDiscountType === 'none' ? 0 : bytes.integer(it);

const line = record(
  head(
    ['existingLineDiscountType', DISCOUNT_TYPES],
    ['noDiscount', flag],
    ['noPercentageDiscount', flag],
    ['productGroupId', there],
    ['ean', there],
    ['productMasterId', there],
    ['parent', there],
    ['allocations', there],
    ['existingLineDiscountPercent', there],
  ),
  ['productId', knownText],
  ['productGroupId', knownText],
  ['ean', knownText],
  ['productMasterId', knownText],
  ['parent', integer],
  ['quantity', quantity],
  ['unitPrice', integer],
  ['existingLineDiscountAmount', existingAmount],
  ['existingLineDiscountPercent', integer],
  ['allocations', list(pair(integer, integer))],
);

/**
 * The `lineId`, by which a return names what comes back: a UUID as 0 and its bytes, a number as `2n + 1`; of any other only what differs
 * from the ID before, behind `2 × (1 + characters shared with it)`.
 */
const lineId: DependentKind<string, string | undefined> = (bytes, it = '', before = '') => {
  const number = writtenNumber(it);
  const head = number !== undefined ? 2 * number + 1 : isUuid(it) ? 0 : 2 * (1 + countShared(before, it));
  const stored = bytes.integer(head);
  if (stored === 0) return bytes.uuid(it);
  if (stored % 2 === 1) return it || String((stored - 1) / 2);
  const shared = stored / 2 - 1;
  return before.slice(0, shared) + bytes.text(it.slice(shared));
};

function countShared(one: string, other: string): number {
  let shared = 0;
  while (shared < other.length && one[shared] === other[shared]) shared += 1;
  return shared;
}

/** By which the clock of a test member was ahead: 1, or 2 where it was behind, and the milliseconds. */
const movedMs: Kind<number> = (bytes, it = 0) => {
  const sign = bytes.integer(it > 0 ? 1 : 2) === 1 ? 1 : -1;
  return sign * bytes.integer(Math.abs(it));
};

/** Empty in what an earlier version has kept. */
const lastText: Kind<string> = (bytes, it) => (bytes.left === 0 ? '' : bytes.text(it));

export const keptForm = record(
  ['configuration', keptConfiguration],
  ['baxId', knownText],
  ['currency', knownText],
  /** `requestedMs`: from 1970, or to it. */
  head(['channel', ['pos', 'mpos']], ['isBefore1970', flag]),
  ['requestedMs', integer],
  ['member', member],
  /** Units by usage key. */
  ['used', list(pair(text, integer))],
  ['orderDiscounts', list(orderDiscount)],
  ['lines', list(line)],
  ['movedMs', movedMs],
  ['lineIds', list(lineId)],
  ['cashRegisterId', lastText],
);

export type KeptLine = ValueOf<typeof line>;
export type KeptDiscount = ValueOf<typeof orderDiscount>;

const MAX_ID_CHARACTERS = 40;
const HASH_CHARACTERS = 22;

/** The form in which the ID of a line is kept: itself, or 132 bits of its SHA-256 where it is very long. */
export function keptLineId(lineId: string): string {
  if (lineId.length <= MAX_ID_CHARACTERS) return lineId;
  const hashed = hash('sha256', Buffer.from(lineId, 'utf16le'), 'base64url');
  return `sha256:${hashed.slice(0, HASH_CHARACTERS)}`;
}
