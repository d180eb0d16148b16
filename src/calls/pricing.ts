import { parseJson } from '@loyalty/contract/basket/parse-json';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { LimitedUse, Venue } from '@loyalty/engine/types';
import type { Environment } from '../programme/environment.ts';
import { priceAnswer, type RenderedAnswer, renderMemberNotFound } from './answer.ts';
import type { Circumstances } from './circumstances.ts';
import { encodeKeptBasket, keptMemberOf } from './stored/kept-basket.ts';
import { storedForm } from './stored/stored-answer.ts';

/**
 * The price of a call: a pure function of the basket, the configuration and what Redis said. It runs in place, or with the same
 * result in a thread, which gets bytes and gives bytes.
 */

export interface PricedCall {
  readonly rendered: RenderedAnswer;
  /** What is stored of the answer, to be replayed (stored/stored-answer.ts). */
  readonly stored: Buffer;
  /** What support may see of the basket (stored/kept-basket.ts). */
  readonly kept: Buffer;
}

/** A basket for a thread. */
export interface PricingTask {
  readonly body: Uint8Array<ArrayBuffer>;
  /** The version of the configuration by which Redis was read. */
  readonly configuration: string;
  readonly venueId: string;
  readonly baxId: string;
  readonly circumstances: Circumstances;
}

/** Prices a task in a thread, whatever work it takes. */
export function priceTask(environment: Environment, task: PricingTask): PricedCall {
  const { body, venueId, baxId, circumstances } = task;
  const venue = environment.findVenue(venueId, baxId);
  if (!venue) throw new Error('assertion failed: a task is valid under its configuration');
  return priceAndEncode(environment, parseTask(body), venue, circumstances);
}

/** The basket of a task, which is valid: the event loop has checked it. */
export function parseTask(body: Uint8Array): BasketRequest {
  const parsed = parseJson(body);
  if (!parsed.ok) throw new Error('assertion failed: a task is JSON');
  return parsed.value as BasketRequest;
}

/** Prices a basket. Throws `OverBudget` where that takes more than so many steps. */
export function priceAndEncode(
  environment: Environment,
  sent: BasketRequest,
  venue: Venue,
  { member, requestedAt, movedMs, isClockOff, uses, available }: Circumstances,
  budget = Number.POSITIVE_INFINITY,
): PricedCall {
  const { programme } = venue;
  const basket = movedMs === 0 ? sent : { ...sent, requestedAt };
  const { content, rendered } = member
    ? priceAnswer({ basket, venue, member, available, isClockOff, budget })
    : renderMemberNotFound(basket);
  const pricedBy = {
    configuration: environment.version,
    member: member && keptMemberOf(programme, member),
    used: countUsed(uses, available),
    movedMs,
  };
  return {
    rendered,
    stored: storedForm(content, rendered.body),
    kept: encodeKeptBasket(sent, pricedBy, programme, environment.hasEventLines),
  };
}

/** Units of every limit that others had when the basket was priced. */
export function countUsed(uses: readonly LimitedUse[], available: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(uses.map(({ usageKey, limit }) => [usageKey, limit - (available.get(usageKey) ?? 0)]));
}
