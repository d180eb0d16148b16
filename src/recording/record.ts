import { createHash, createHmac } from 'node:crypto';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { Member, PricedMember } from '@loyalty/engine/types';

/** One answered basket call with the data to price it again without Redis: a line of the recording. */
export interface BasketRecord {
  /** RFC 3339, by the service's clock. */
  readonly recordedAt: string;
  /**
   * The share of calculations that was recorded, and that the end of each is recorded too (`EndRecord`). Absent in records
   * that somebody made, of which neither is known.
   */
  readonly sample?: number;
  /** Version of the configuration that priced the basket. */
  readonly configuration: string;
  /**
   * The basket as sent, with a pseudonym as loyalty ID, without the clerk and without fields unknown to the interface.
   */
  readonly basket: BasketRequest;
  /** Null when the programme did not know the loyalty ID. */
  readonly member: PricedMember | null;
  /**
   * Units of limited benefits that were consumed, or held by other calculations, per usage key; an absent key means 0.
   */
  readonly used: Readonly<Record<string, number>>;
  /**
   * Offset of the basket's time from Redis' clock, milliseconds, above 0 when the basket was ahead. It allows a
   * rehearsal with another clock window. Absent in records that somebody made, whose times are accepted.
   */
  readonly clockOffsetMs?: number;
  readonly answer: RecordedAnswer;
}

/**
 * The end of a recorded calculation, a line of its own: its sale event, or the calculation that superseded it. It begins
 * with `end`, so that a reader finds such lines by their first bytes.
 */
export interface EndRecord {
  readonly end:
    | { readonly calculationId: string; readonly kind: 'sale'; readonly status: string }
    | { readonly calculationId: string; readonly kind: 'superseded'; readonly by: string };
  readonly recordedAt: string;
}

export interface RecordedAnswer {
  readonly status: string;
  /** Amount due, minor units. */
  readonly total: number;
}

/** The options of recording. */
export interface RecordingOptions {
  /** The share of calculations to record, from 0 to 1. */
  readonly sample: number;
  /** Key of the pseudonyms, which never leaves the service. */
  readonly key: Uint8Array;
}

const HASH_RANGE = 2 ** 32;
/** 132 bits, as in the member tokens of Redis keys. */
const PSEUDONYM_CHARACTERS = 22;

/** True when a calculation is in the sample. The hash of its ID decides, so that a retry gets the same decision. */
export function isSampled({ sample }: RecordingOptions, calculationId: string): boolean {
  return createHash('sha256').update(calculationId).digest().readUInt32BE(0) / HASH_RANGE < sample;
}

/** The input of a record. `used` are the units of every limit that others had when the basket was priced. */
export interface AnsweredBasket {
  readonly configuration: string;
  /** Without fields unknown to the interface, which may contain a name or an address. */
  readonly basket: BasketRequest;
  readonly programmeId: string;
  readonly member: Member | undefined;
  /** The member's parts under the salts of the programme. */
  readonly shareParts: Readonly<Record<string, number>> | undefined;
  readonly used: ReadonlyMap<string, number>;
  readonly clockOffsetMs: number;
  readonly answer: RecordedAnswer;
}

/** Renders a record as a line of NDJSON, with a pseudonym in the place of the loyalty ID. */
export function renderRecord({ key, sample }: RecordingOptions, answered: AnsweredBasket): string {
  const { basket, programmeId, member, shareParts, used, answer, configuration, clockOffsetMs } = answered;
  const { clerkNumber: _clerk, ...context } = basket.context;
  const record: BasketRecord = {
    recordedAt: new Date().toISOString(),
    sample,
    configuration,
    basket: { ...basket, loyaltyId: recordedPseudonym(key, programmeId, basket.loyaltyId), context },
    member: member ? toPricedMember({ ...member, ...(shareParts && { shareParts }) }) : null,
    // Those used, not those left, so that a rehearsal can give the benefit another limit.
    used: Object.fromEntries([...used].filter(([, units]) => units > 0)),
    clockOffsetMs,
    answer,
  };
  return `${JSON.stringify(record)}\n`;
}

/** Renders the end of a calculation as a line of NDJSON. It names nobody. */
export function renderEnd(end: EndRecord['end']): string {
  return `${JSON.stringify({ end, recordedAt: new Date().toISOString() } satisfies EndRecord)}\n`;
}

/** The label is left out: it may identify a person, and no price depends on it. */
function toPricedMember({ status, tier, grants, shareParts }: Member): PricedMember {
  return { status, ...(tier !== undefined && { tier }), grants, ...(shareParts && { shareParts }) };
}

/**
 * The pseudonym of a member in a recording: HMAC-SHA-256 over programme and loyalty ID. A member keeps its pseudonym as
 * long as the key is kept; without the key, guesses of loyalty IDs cannot be tested. The key is of the recording, so this is another name
 * than the one in events (store/pseudonyms.ts), and without both keys nobody can tell that they are one member.
 */
function recordedPseudonym(key: Uint8Array, programmeId: string, loyaltyId: string): string {
  // UTF-16 keeps lone surrogates of an opaque ID distinct; UTF-8 would make them equal.
  const text = Buffer.from(`${programmeId}\u0000${loyaltyId}`, 'utf16le');
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, PSEUDONYM_CHARACTERS);
}
