import { createHash } from 'node:crypto';
import { Value } from 'typebox/value';
import { BasketRequest } from '../contract/basket-request.ts';
import type { LimitedUse, Member } from '../pricing/types.ts';
import { pseudonymOf } from './pseudonym.ts';

/** One answered basket call, as far as it takes to price it again without Redis: a line of the recording. */
export interface BasketRecord {
  /** RFC 3339, by the service's clock. */
  readonly recordedAt: string;
  /** Version of the configuration that priced it. */
  readonly configuration: string;
  /** As it was sent, but for the loyalty ID, which is a pseudonym, the clerk, and fields that the interface does not know. */
  readonly basket: BasketRequest;
  /** Null when the programme did not know the loyalty ID. */
  readonly member: RecordedMember | null;
  /** Units of limited benefits that were consumed or held by other calculations, per usage key; absent means none. */
  readonly used: Readonly<Record<string, number>>;
  /**
   * How far the basket's time was from Redis' clock, milliseconds, above 0 when it was ahead. The distance rather than whether
   * it was believed: a rehearsal may give it another window. Absent in older records, whose times are believed.
   */
  readonly clockOffsetMs?: number;
  readonly answer: RecordedAnswer;
}

export type RecordedMember = Pick<Member, 'status' | 'tier' | 'grants'>;

export interface RecordedAnswer {
  readonly status: string;
  /** Minor units that the guest was to pay. */
  readonly total: number;
}

/** What recording is set to; it crosses to the threads as it is. Undefined elsewhere means that nothing is recorded. */
export interface RecordingOptions {
  /** The share of calculations that is recorded, from 0 to 1. */
  readonly sample: number;
  /** Makes pseudonyms; never leaves the service. */
  readonly key: Uint8Array;
}

const HASH_RANGE = 2 ** 32;

/** Whether a calculation is one of the sample: by its ID's hash, so a call that is sent again decides alike. */
export function isSampled({ sample }: RecordingOptions, calculationId: string): boolean {
  return createHash('sha256').update(calculationId).digest().readUInt32BE(0) / HASH_RANGE < sample;
}

/** What a record is made of. `available` is what was left of each of `uses` when the basket was priced. */
export interface AnsweredBasket {
  readonly configuration: string;
  readonly basket: BasketRequest;
  readonly programmeId: string;
  readonly member: Member | undefined;
  readonly uses: readonly LimitedUse[];
  readonly available: ReadonlyMap<string, number>;
  readonly clockOffsetMs: number;
  readonly answer: RecordedAnswer;
}

/** Renders a record as a line of NDJSON, with a pseudonym in the place of the loyalty ID. */
export function renderRecord({ key }: RecordingOptions, answered: AnsweredBasket): string {
  const { basket, programmeId, member, answer, configuration, clockOffsetMs } = answered;
  // Fields that nobody described may hold anything, a name or an address: only those of the interface are kept.
  const known = Value.Clean(BasketRequest, structuredClone(basket)) as BasketRequest;
  const { clerkNumber: _clerk, ...context } = known.context;
  const record: BasketRecord = {
    recordedAt: new Date().toISOString(),
    configuration,
    basket: { ...known, loyaltyId: pseudonymOf(key, programmeId, basket.loyaltyId), context },
    member: member ? toRecordedMember(member) : null,
    used: countUsed(answered),
    clockOffsetMs,
    answer,
  };
  return `${JSON.stringify(record)}\n`;
}

/** Without the label, which may be a person's own and changes no price. */
function toRecordedMember({ status, tier, grants }: Member): RecordedMember {
  return { status, ...(tier !== undefined && { tier }), grants };
}

/** What was used rather than what was left: it stays true when a rehearsal gives the benefit another limit. */
function countUsed({ uses, available }: AnsweredBasket): Record<string, number> {
  const used = uses.map(({ usageKey, limit }) => [usageKey, limit - (available.get(usageKey) ?? 0)] as const);
  return Object.fromEntries(used.filter(([, units]) => units > 0));
}
