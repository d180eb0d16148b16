import { spawnSync } from 'node:child_process';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { BasketResponse } from '@loyalty/contract/basket-response';
import { renderAnswer } from '@loyalty/engine/answer/render';
import { type Decision, decideBasket, priceBasket, type Venue } from '@loyalty/engine/price';
import { createEntries, type Entry, MEMBER, type ProgrammeName, venueOf } from './programmes.ts';
import { shopBaskets } from './shop.ts';

/** One cell of the grid: baskets with `lines` lines under a programme with `benefits` benefits. */
export interface Cell {
  readonly programme: ProgrammeName;
  readonly lines: number;
  readonly benefits: number;
}

export interface PreparedCell extends Cell {
  readonly baskets: readonly BasketRequest[];
  /** The baskets as JSON. */
  readonly bodies: readonly string[];
  readonly venue: Venue;
  /** Benefits that are open and name a line, on average over the baskets. */
  readonly matchingBenefits: number;
}

export const BASKETS_PER_CELL = 16;
const SEED = 1;
const NOTHING_HELD: ReadonlyMap<string, number> = new Map();

export function prepareCell(cell: Cell): PreparedCell {
  const entries = createEntries(cell.programme, cell.benefits);
  const bodies = shopBaskets(BASKETS_PER_CELL, cell.lines, SEED).map((basket) => JSON.stringify(basket));
  const baskets = bodies.map((body) => JSON.parse(body) as BasketRequest);
  const matching = baskets.reduce((sum, basket) => sum + countMatching(entries, basket), 0);
  return {
    ...cell,
    baskets,
    bodies,
    venue: venueOf(entries),
    matchingBenefits: matching / baskets.length,
  };
}

export function priceCell({ baskets, venue }: PreparedCell, turn: number): Decision {
  const basket = baskets[turn % baskets.length] as BasketRequest;
  return priceBasket({ basket, member: MEMBER, venue, available: NOTHING_HELD });
}

/** What a call does with a basket that it has read: decides and renders the answer. This is what is measured. */
export function answerCell({ baskets, venue }: PreparedCell, turn: number): BasketResponse {
  const basket = baskets[turn % baskets.length] as BasketRequest;
  const { content } = decideBasket({ basket, member: MEMBER, venue, available: NOTHING_HELD });
  return renderAnswer(basket, content);
}

/**
 * Counts the benefits that are open and name a line. The engine is not asked, because its growth is compared with this
 * number.
 */
export function countMatching(entries: readonly Entry[], { lines }: BasketRequest): number {
  const groups = new Set(lines.map(({ productGroupId }) => productGroupId as string));
  return entries.filter((entry) => entry.isOpen && namesOneOf(entry, groups)).length;
}

function namesOneOf({ groups: named }: Entry, groups: ReadonlySet<string>): boolean {
  return named === undefined || [...named].some((group) => groups.has(group));
}

const PROBE = new URL('probe.ts', import.meta.url).pathname;

/** True when every basket of the cell is priced within the limit; a process that can be killed finds this out. */
export function finishesWithin(cell: Cell, limitMs: number): boolean {
  const { status } = spawnSync(process.execPath, [PROBE, JSON.stringify(cell)], { timeout: limitMs, stdio: 'ignore' });
  return status === 0;
}
