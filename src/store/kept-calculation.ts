import type { EventLine, EventOf } from '@loyalty/contract/events';
import { type Given, readGiven } from './given.ts';
import { piecesOf } from './kept-baskets.ts';
import type { MemberToken } from './keys.ts';
import type { Store } from './store.ts';

/** A calculation as it is kept, with all that its events tell of it. */
export interface KeptCalculation {
  readonly calculationId: string;
  readonly member: MemberToken;
  readonly venueId: string;
  /** The status of its answer: applied, unchanged or member_not_found. */
  readonly answered: string;
  /** Why its answer left the basket unchanged; empty of any other. */
  readonly reason: string;
  readonly tier: string;
  readonly share: string;
  readonly answeredAtMs: number;
  /** The outcome of its sale as stored, and when that came. */
  readonly sale: string | undefined;
  readonly soldAtMs: number | undefined;
  readonly isLate: boolean;
  readonly overRedeemed: number;
  /** What the guest pays by its answer, in minor units. */
  readonly total: number | undefined;
  readonly given: Given | undefined;
  /** Its uses of limits and grants: its own, and those of limits over all members. */
  readonly uses: { readonly own: string; readonly common: string };
  /** What is kept of the basket (kept-baskets.ts), and the answer as it is stored. */
  readonly basket: Buffer | undefined;
  readonly answer: Buffer | undefined;
}

type Maybe<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** What only the kept basket and its configuration know of a calculation, for its events. */
export interface BasketFacts
  extends Maybe<
    Pick<EventOf<'recorded'>, 'requestedAt' | 'configuration' | 'baxId' | 'cashRegisterId' | 'channel' | 'total'>
  > {
  readonly lines?: EventLine[] | undefined;
  readonly benefits: EventOf<'recorded'>['benefits'];
  readonly funders?: Funders;
}

/** Who pays for benefits, by their IDs. */
export type Funders = ReadonlyMap<string, string>;

export const NOBODY: Funders = new Map();

/**
 * Describes a basket: as it was answered, or as the till sent it; `funded`: only who pays for its benefits. The store keeps bytes
 * that only the layer above reads (calls/event-facts.ts). May throw `StoreUnavailable`.
 */
export type DescribeBasket = (
  kept: KeptCalculation,
  as: 'answered' | 'sent' | 'unsaid' | 'funded',
) => Promise<BasketFacts>;

/** Without anybody who reads the basket, an event tells what the record itself has. */
export const describeNothing: DescribeBasket = async ({ given }, as) => ({
  benefits: as === 'answered' ? [...(given?.benefits ?? [])] : [],
});

/** Who pays for the benefits of a calculation. Throws `StoreUnavailable`. */
export async function readFundersOf(kept: KeptCalculation, describe: DescribeBasket): Promise<Funders> {
  const { funders = NOBODY } = await describe(kept, 'funded');
  return funders;
}

/** Reads a calculation in the slot of its member. Undefined where it was never committed. Throws `StoreUnavailable`. */
export async function readKeptCalculation(
  { connection, keys }: Store,
  member: MemberToken,
  calculationId: string,
): Promise<KeptCalculation | undefined> {
  const [stored, answer] = await Promise.all([
    connection.run(keys.calculation(member, calculationId), (client, key) => client.hgetallBuffer(key)),
    connection.run(keys.answer(member, calculationId), (client, key) => client.getBuffer(key)),
  ]);
  return stored['fp'] && keptOf(member, calculationId, stored, answer ?? undefined);
}

/** From the fields of a record; `answer` is that of a calculation whose record does not have it. */
export function keptOf(
  member: MemberToken,
  calculationId: string,
  stored: Readonly<Record<string, Buffer>>,
  answer?: Buffer,
): KeptCalculation {
  const textOf = (name: string): string => stored[name]?.toString() ?? '';
  const numberOf = (name: string): number | undefined => (stored[name] ? Number(textOf(name)) : undefined);
  return {
    ...{ calculationId, member, venueId: textOf('venue'), answered: textOf('status'), reason: textOf('reason') },
    ...{ tier: textOf('tier'), share: textOf('share'), answeredAtMs: numberOf('at') ?? 0 },
    ...{ sale: stored['sale']?.toString(), soldAtMs: numberOf('soldAt') },
    ...{ isLate: textOf('late') === '1', overRedeemed: numberOf('over') ?? 0, total: numberOf('total') },
    given: readGiven(piecesOf(stored, 'g')?.toString() ?? ''),
    uses: { own: textOf('holds'), common: textOf('common') },
    basket: piecesOf(stored, 'b'),
    answer: piecesOf(stored, 'a') ?? answer,
  };
}

/** An answer that came after its sale cannot have been what was sold. */
export function isSoldBefore({ sale, soldAtMs = 0, answeredAtMs }: KeptCalculation): boolean {
  // A sale event that came before anybody had claimed the ID left its outcome, and no instant.
  return sale !== undefined && soldAtMs < answeredAtMs;
}
