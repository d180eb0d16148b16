import type { BasketRequest } from '@loyalty/contract/basket-request';
import { limitedUses } from '@loyalty/engine/offers/limits';
import type { Member, Venue } from '@loyalty/engine/types';
import type { Environment } from '../programme/environment.ts';
import { type MadeUpProduct, makeBasket } from '../programme/made-up-basket.ts';
import { priceAnswer } from './answer.ts';
import { encodeKeptBasket } from './stored/kept-basket.ts';
import { replayAnswer, storedForm } from './stored/stored-answer.ts';

/**
 * Runs the path of a basket call on made-up baskets before a thread takes calls, so that the first callers do not wait while
 * code is compiled. It touches no member and no Redis: a basket is read, priced, rendered, stored and replayed in memory.
 */

/** Reads a body as calls are read there: the event loop judges it, and a thread parses what was judged. Undefined for a refusal. */
type Read = (body: Uint8Array) => BasketRequest | undefined;

/** The first round compiles, which takes most of the time; the others show the engine which code is hot. */
const ROUNDS = 4;
/** A usual basket, and a large one. */
const LINES: readonly number[] = [20, 20, 20, 150];
/**
 * The choice among many benefits does the same over and over: so many steps of it (packages/engine/src/work.ts) make the code as hot as
 * the twelve times as many that it may take, which took two seconds of a start with thirty benefits.
 */
const MOST_STEPS = 1_000;
const UNIT_PRICE = 3900;
const REQUESTED_AT = '2026-01-01T12:00:00Z';

/** Returns the number of baskets that were priced: none where there is no venue. */
export function warmUp(environment: Environment, read: Read): number {
  const [venue] = environment.venues;
  if (!venue) return 0;
  let priced = 0;
  const member = memberOf(environment, venue);
  const products = productsOf(environment, venue);
  for (let round = 0; round < ROUNDS; round += 1) {
    // A large basket takes as long as many usual ones, and its code is mostly theirs.
    for (const count of round === 0 ? LINES : LINES.slice(0, -1)) {
      const body = Buffer.from(JSON.stringify(makeBasket(round, count, products, venue, REQUESTED_AT)));
      const basket = read(body);
      if (basket && run(environment, venue, member, body, basket)) priced += 1;
    }
  }
  return priced;
}

/** Returns false where the answer fails its check, or cannot be replayed. */
function run(environment: Environment, venue: Venue, member: Member, body: Buffer, basket: BasketRequest): boolean {
  const uses = limitedUses(venue, basket.requestedAt, member);
  const available = new Map(uses.map(({ usageKey, limit }) => [usageKey, limit]));
  const { content, rendered } = priceAnswer({ basket, venue, member, available, maximumSteps: MOST_STEPS });
  if (rendered.fault) return false;
  encodeKeptBasket(basket, { configuration: environment.version, member, used: new Map() });
  return 'answer' in replayAnswer(storedForm(content, rendered.body), body);
}

/** The programme of the venue as the file writes it. */
function wordsOf({ wording }: Environment, { programme }: Venue): Environment['wording']['programmes'][number] {
  return wording.programmes.find(({ programmeId }) => programmeId === programme.programmeId)!;
}

/** A made-up member with a grant of every benefit, so that the code of each runs. */
function memberOf(environment: Environment, venue: Venue): Member {
  const { programmeId, benefits = [] } = wordsOf(environment, venue);
  const grants = benefits.map((benefit) => (benefit as { readonly benefitId: string }).benefitId);
  return { programmeId, loyaltyId: 'nobody', status: 'active', grants };
}

/** The products and groups that the programme's benefits name, as far as there are any. */
function productsOf(environment: Environment, venue: Venue): MadeUpProduct[] {
  const words = wordsOf(environment, venue);
  const [products, groups] = [namesIn(words, 'productIds'), namesIn(words, 'productGroupIds')];
  return Array.from({ length: Math.max(1, products.length, groups.length) }, (_, at) => ({
    productId: products[at % products.length] ?? 'product',
    productGroupId: groups[at % groups.length] ?? 'group',
    unitPrice: UNIT_PRICE,
  }));
}

/** Every name in the lists with this key, at any depth. */
function namesIn(value: unknown, key: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (name === key ? (inner as string[]) : namesIn(inner, key)));
}
