import { hash } from 'node:crypto';
import type { BasketLine, BasketRequest, OrderDiscount } from '@loyalty/contract/basket-request';
import { isUuid } from '@loyalty/contract/headers';
import type { Member } from '@loyalty/engine/types';
import { type Bytes, type Changing, oneOf, optionalInteger } from './bytes.ts';

/**
 * What is kept of a basket for the retention time, and of a sold one for as long as it may be returned: what prices depend on, the
 * IDs of its lines, and nothing of persons. Percentages are in hundredths; lines and order discounts are named by their places.
 */
export interface KeptForm {
  /** Version of the configuration. */
  readonly configuration: string;
  readonly baxId: string;
  readonly currency: string;
  readonly channel: BasketRequest['context']['channel'];
  /** Since 1970. */
  readonly requestedMs: number;
  readonly member: KeptMember | undefined;
  readonly used: readonly KeptUse[];
  readonly orderDiscounts: readonly KeptDiscount[];
  readonly lines: readonly KeptLine[];
  /** By which the clock of a test member was ahead. */
  readonly movedMs: number;
  readonly lineIds: readonly string[];
  /** Empty in what an earlier version has kept. */
  readonly cashRegisterId: string;
}

/** The shares of the programme that the member was in cannot be computed later, because the loyalty ID is not kept. */
export type KeptMember = Pick<Member, 'status' | 'tier' | 'grants' | 'shareParts'>;

type KeptUse = readonly [usageKey: string, units: number];

export interface KeptDiscount extends Pick<OrderDiscount, 'type' | 'amount'> {
  readonly percent: number | undefined;
  /** It is one of the service itself that came back (engine/src/answer/own-discounts.ts). */
  readonly isOwn: boolean;
}

export interface KeptLine
  extends Pick<BasketLine, 'productId' | 'quantity' | 'unitPrice' | 'noDiscount' | 'noPercentageDiscount'> {
  readonly productGroupId: string | undefined;
  readonly ean: string | undefined;
  readonly productMasterId: string | undefined;
  readonly parent: number | undefined;
  readonly existingType: BasketLine['existingLineDiscountType'];
  readonly existingAmount: number;
  readonly existingPercent: number | undefined;
  readonly allocations: readonly KeptAllocation[];
}

type KeptAllocation = readonly [orderDiscount: number, amount: number];

const FORMAT = 2;
const CHANNELS = ['pos', 'mpos'] as const;
const MEMBERS = ['unknown', 'plain', 'own'] as const;
const DISCOUNT_TYPES = ['none', 'amount', 'percent'] as const;
/** Whether a clock was moved ahead. The first place is never used. */
const AHEAD = [undefined, true, false] as const;

/** The bytes of it (bytes.ts), from the first one on. Throws where they are of another format, or damaged. */
export function keptForm(bytes: Bytes, it = {} as Changing<KeptForm>): KeptForm {
  it.configuration = keptConfiguration(bytes, it.configuration);
  const texts = new KnownTexts(bytes);
  it.baxId = texts.next(it.baxId);
  it.currency = texts.next(it.currency);
  const ms = it.requestedMs;
  const [channel, isBefore1970] = bytes.packed([2], [CHANNELS.indexOf(it.channel), ms < 0 ? 1 : 0]);
  it.channel = CHANNELS[channel!]!;
  it.requestedMs = bytes.integer(Math.abs(ms)) * (isBefore1970 ? -1 : 1);
  it.member = member(bytes, it.member);
  it.used = bytes.list(it.used, use);
  it.orderDiscounts = bytes.list(it.orderDiscounts, orderDiscount);
  it.lines = bytes.list(it.lines, (_, value) => line(bytes, texts, value));
  const isAhead = oneOf(bytes, AHEAD, it.movedMs > 0);
  it.movedMs = bytes.integer(Math.abs(it.movedMs)) * (isAhead ? 1 : -1);
  let before = '';
  it.lineIds = bytes.list(it.lineIds, (_, value) => {
    before = lineId(bytes, before, value);
    return before;
  });
  it.cashRegisterId = bytes.isAtEnd ? '' : bytes.text(it.cashRegisterId);
  return it;
}

/** The format and the configuration, with which everything kept begins. */
export function keptConfiguration(bytes: Bytes, it = ''): string {
  const format = bytes.integer(FORMAT);
  if (format !== FORMAT) throw new Error(`its format is ${format}`);
  return bytes.text(it);
}

/** An active member with nothing else, as most are, takes no text. */
function member(bytes: Bytes, it: KeptMember | undefined): KeptMember | undefined {
  const { status, tier, grants, shareParts } = it ?? PLAIN;
  const isPlain = status === 'active' && tier === undefined && grants.length === 0 && shareParts === undefined;
  const kind = oneOf(bytes, MEMBERS, !it ? 'unknown' : isPlain ? 'plain' : 'own');
  if (kind === 'unknown') return undefined;
  return kind === 'plain' ? PLAIN : JSON.parse(bytes.text(JSON.stringify({ status, tier, grants, shareParts })));
}

const PLAIN: KeptMember = { status: 'active', grants: [] };

function use(bytes: Bytes, [usageKey, units]: KeptUse = ['', 0]): KeptUse {
  const key = bytes.text(usageKey);
  return [key, bytes.integer(units)];
}

function orderDiscount(bytes: Bytes, it = {} as Changing<KeptDiscount>): KeptDiscount {
  const [type, isOwn] = bytes.packed([4], [DISCOUNT_TYPES.indexOf(it.type), it.isOwn ? 1 : 0]);
  it.type = DISCOUNT_TYPES[type!] as KeptDiscount['type'];
  it.isOwn = isOwn === 1;
  it.amount = bytes.integer(it.amount);
  it.percent = optionalInteger(bytes, it.percent);
  return it;
}

/** The type takes two bits, and each flag one. */
const LINE_HEAD = [4, 2, 2, 2, 2, 2, 2, 2];

function line(bytes: Bytes, texts: KnownTexts, it = { allocations: NO_ALLOCATIONS } as Changing<KeptLine>): KeptLine {
  const [type, noDiscount, noPercentageDiscount, hasGroup, hasEan, hasMaster, hasParent, isAllocated, hasPercent] =
    bytes.packed(LINE_HEAD, [
      DISCOUNT_TYPES.indexOf(it.existingType),
      it.noDiscount ? 1 : 0,
      it.noPercentageDiscount ? 1 : 0,
      it.productGroupId === undefined ? 0 : 1,
      it.ean === undefined ? 0 : 1,
      it.productMasterId === undefined ? 0 : 1,
      it.parent === undefined ? 0 : 1,
      it.allocations.length === 0 ? 0 : 1,
      it.existingPercent === undefined ? 0 : 1,
    ]);
  it.existingType = DISCOUNT_TYPES[type!] ?? 'none';
  it.noDiscount = noDiscount === 1;
  it.noPercentageDiscount = noPercentageDiscount === 1;
  it.productId = texts.next(it.productId);
  it.productGroupId = hasGroup ? texts.next(it.productGroupId) : undefined;
  it.ean = hasEan ? texts.next(it.ean) : undefined;
  it.productMasterId = hasMaster ? texts.next(it.productMasterId) : undefined;
  it.parent = hasParent ? bytes.integer(it.parent!) : undefined;
  it.quantity = quantity(bytes, it.quantity);
  it.unitPrice = bytes.integer(it.unitPrice);
  it.existingAmount = type! > 0 ? bytes.integer(it.existingAmount) : 0;
  it.existingPercent = hasPercent ? bytes.integer(it.existingPercent!) : undefined;
  it.allocations = isAllocated ? bytes.list(it.allocations, allocation) : NO_ALLOCATIONS;
  return it;
}

const NO_ALLOCATIONS: readonly KeptAllocation[] = [];

/** A fraction is its decimal text, which is exact. */
function quantity(bytes: Bytes, it: number): number {
  const isWhole = Number.isSafeInteger(it) && it < Number.MAX_SAFE_INTEGER;
  const stored = bytes.integer(isWhole ? it + 1 : 0);
  return stored === 0 ? Number(bytes.text(String(it))) : stored - 1;
}

function allocation(bytes: Bytes, [orderDiscount, amount]: KeptAllocation = [0, 0]): KeptAllocation {
  const place = bytes.integer(orderDiscount);
  return [place, bytes.integer(amount)];
}

/** Most identifiers are numbers, which take fewer bytes as such: of digits alone, without a leading zero. */
const NUMBER = /^[1-9][0-9]{0,14}$/;

/** Texts that repeat: a number as `2n + 1`, any other as twice its place among those before, with itself where it is new. */
class KnownTexts {
  readonly #bytes: Bytes;
  readonly #texts: string[] = [];
  readonly #places = new Map<string, number>();

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  next(it = ''): string {
    const head = NUMBER.test(it) ? 2 * Number(it) + 1 : 2 * (this.#places.get(it) ?? this.#texts.length);
    const stored = this.#bytes.integer(head);
    if (stored % 2 === 1) return it || String((stored - 1) / 2);
    const place = stored / 2;
    if (place === this.#texts.length) {
      this.#places.set(it, place);
      this.#texts.push(this.#bytes.text(it));
    }
    const text = this.#texts[place];
    if (text === undefined) throw new Error('a text of it is missing');
    return text;
  }
}

/**
 * The `lineId`, by which a return names what comes back: a UUID as 0 and its bytes, a number as `2n + 1`; of any other only what differs
 * from the ID before, behind `2 × (1 + characters shared with it)`.
 */
function lineId(bytes: Bytes, before: string, it = ''): string {
  const head = NUMBER.test(it) ? 2 * Number(it) + 1 : isUuid(it) ? 0 : 2 * (1 + countShared(before, it));
  const stored = bytes.integer(head);
  if (stored === 0) return bytes.uuid(it);
  if (stored % 2 === 1) return it || String((stored - 1) / 2);
  const shared = stored / 2 - 1;
  return before.slice(0, shared) + bytes.text(it.slice(shared));
}

function countShared(one: string, other: string): number {
  let shared = 0;
  while (shared < other.length && one[shared] === other[shared]) shared += 1;
  return shared;
}

const MAX_ID_CHARACTERS = 40;
const HASH_CHARACTERS = 22;

/** The form in which the ID of a line is kept: itself, or 132 bits of its SHA-256 where it is very long. */
export function keptLineId(lineId: string): string {
  if (lineId.length <= MAX_ID_CHARACTERS) return lineId;
  const hashed = hash('sha256', Buffer.from(lineId, 'utf16le'), 'base64url');
  return `sha256:${hashed.slice(0, HASH_CHARACTERS)}`;
}
