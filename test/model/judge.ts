/** What must hold whatever happened, and what else must be true when the model knows exactly what happened. */

import type { ToldEvent } from '../support/told-events.ts';
import type { BasketOrder, Order } from './history.ts';
import type { Calculation, Model } from './model.ts';
import type { SeenCalculation, Sight } from './observe.ts';
import { BENEFITS, countersOf, LIMITS, unitsOf, useOf } from './world.ts';

/** Redis' clock is ours, but both are cut to milliseconds. */
export const CLOCK_MS = 3;

/** One order, sent once, and what came back. */
export interface Reply {
  readonly order: Order;
  /** What it came to; `unavailable` for 503, `broken off` when the connection ended without an answer. */
  readonly word: string;
  readonly text: string;
  /** Fingerprint of the body that was sent. */
  readonly print: string;
  readonly sentMs: number;
  readonly answeredMs: number;
}

export function isDefinite({ word }: Reply): boolean {
  return word !== 'unavailable' && word !== 'broken off';
}

/** What an answer like `applied 30 0 @tab$NOK:*=900` must have taken; of each list one use. */
function usesOf(order: BasketOrder, word: string): string[][] {
  if (!word.startsWith('applied')) return [];
  const parts = word.split(' ').slice(1);
  const money = parts.filter((part) => part.includes('=')).map((part) => [part]);
  const percents = new Set(parts.map(Number));
  const applied = BENEFITS.filter(({ percent, limit }) => limit?.counts !== 'money' && percents.has(percent));
  const shared = new Map<string, number>();
  const counters: string[][] = [];
  for (const benefit of applied) {
    const own = countersOf(benefit, order.day);
    if (benefit.limit?.limitId !== undefined) shared.set(own[0]!, (shared.get(own[0]!) ?? 0) + 1);
    else if (own.length > 0) counters.push(own);
  }
  return [...counters, ...[...shared].map(([key, units]) => [useOf(key, units)]), ...money];
}

/** An order on its way, or one that was. */
interface Sending {
  readonly order: Order;
  readonly print: string;
  readonly sentMs: number;
  /** When its answer was here; until then, and for a call without an answer, when it was sent. */
  endMs: number;
}

/** Everything that was ever answered to a history, and what it forbids from then on. */
export class Ledger {
  #replies: Reply[] = [];
  readonly #sent = new Map<number, { bodies: Set<string>; outcomes: Set<string> }>();
  /** Calculations whose idempotency window has passed: what was answered before then is of an earlier life. */
  readonly reborn = new Set<number>();
  readonly #sendings: Sending[] = [];

  /** Enters an order before it is sent. */
  enter(order: Order, print: string, sentMs: number): void {
    this.#sendings.push({ order, print, sentMs, endMs: sentMs });
    const sent = this.#sent.get(order.calculation) ?? { bodies: new Set(), outcomes: new Set() };
    this.#sent.set(order.calculation, sent);
    if (order.kind === 'basket') sent.bodies.add(print);
    else sent.outcomes.add(order.outcome);
  }

  /** From now on a basket under this key is a new one; of the sale, which is told once and for all, nothing is forgotten. */
  passWindow(calculation: number): void {
    this.reborn.add(calculation);
    this.#replies = this.#replies.filter(({ order }) => order.kind === 'sale' || order.calculation !== calculation);
  }

  /** Enters a reply, and says in one sentence each what it breaks. */
  add(reply: Reply): string[] {
    const { order, word, text } = reply;
    const earlier = this.#replies.filter((each) => each.order.calculation === order.calculation && isDefinite(each));
    this.#replies.push(reply);
    const sending = this.#sendings.find((each) => each.order === order && each.sentMs === reply.sentMs);
    if (sending && word !== 'broken off') sending.endMs = reply.answeredMs;
    const sent = this.#sent.get(order.calculation)!;
    const others = order.kind === 'basket' ? sent.bodies : sent.outcomes;
    const faults: string[] = [];
    if (word === 'conflict' && others.size < 2) faults.push('409, though nothing else was ever sent under this key');
    const isAnswer = (each: Reply) => each.order.kind === 'basket' && isDefinite(each) && each.word !== 'conflict';
    const twin = isAnswer(reply) && earlier.find(isAnswer);
    if (twin && twin.text !== text) faults.push(`the same key was answered with other bytes before: ${twin.text}`);
    const isFresh = (each: Reply) => isAnswer(each) && each.word !== 'replay';
    if (isFresh(reply) && earlier.some(isFresh)) faults.push('the same key was answered afresh twice');
    if (word === 'recorded' && earlier.some((each) => each.word === 'recorded')) faults.push('recorded twice');
    return faults.map((fault) => `${describe(order)}: ${fault}`);
  }

  /** What was answered and is not in Redis, as sentences. */
  missingFrom(sight: Sight): string[] {
    const faults: string[] = [];
    for (const { order, word, print } of this.#replies) {
      const seen = sight.calculations.get(order.calculation);
      const say = (fault: string) => faults.push(`${describe(order)} was answered ${word}, but ${fault}`);
      if (order.kind === 'sale') {
        const isCommitted = seen?.print !== undefined || this.reborn.has(order.calculation);
        const isBooked = isCommitted && seen?.outcome === order.outcome;
        if ((word === 'recorded' || word === 'duplicate') && !isBooked) say(`Redis has the sale ${seen?.outcome}`);
        continue;
      }
      if (word === 'conflict' || word === 'unavailable' || word === 'broken off') continue;
      if (seen?.print !== print || !seen.hasAnswer) say('its commit is not in Redis');
      // What was sold before it was priced again keeps what was sold.
      const isSold = seen?.outcome !== undefined;
      const hasEnded = isSold && (seen.uses.length === 0 || this.reborn.has(order.calculation));
      const uses = usesOf(order, word);
      const taken = seen?.uses ?? [];
      const isTaken = uses.length === taken.length && uses.every((own) => own.some((use) => taken.includes(use)));
      if (word !== 'replay' && !hasEnded && !isTaken)
        say(`Redis has taken ${taken.join(' ') || 'nothing'} for it instead of ${uses.join(' ') || 'nothing'}`);
    }
    return faults;
  }

  /**
   * Writes that no call could have made, as sentences: later than its answer, and than `patienceMs` after it was sent. A process
   * that stood still reads a call late and counts its deadline from then, so it may write late, but never after its answer.
   */
  ghostsIn(sight: Sight, patienceMs: number): string[] {
    const faults: string[] = [];
    for (const { number, print, outcome, committedAtMs, soldAtMs } of sight.calculations.values()) {
      const judge = (what: string, atMs: number | undefined, isIts: (sending: Sending) => boolean) => {
        const spans = this.#sendings
          .filter((each) => each.order.calculation === number && isIts(each))
          .map(({ sentMs, endMs }) => [sentMs, Math.max(endMs, sentMs + patienceMs)] as const);
        if (atMs === undefined || spans.some(([fromMs, toMs]) => atMs >= fromMs - CLOCK_MS && atMs <= toMs)) return;
        const calls = spans.map(([fromMs, toMs]) => `${fromMs} to ${toMs}`).join(', ');
        faults.push(`calculation ${number} was ${what} at ${atMs}, when no call for it was under way: ${calls}`);
      };
      const isReborn = outcome !== undefined && this.reborn.has(number);
      judge(
        'committed',
        committedAtMs,
        ({ order, ...its }) => its.print === print || (order.kind === 'basket' && isReborn),
      );
      judge('sold', soldAtMs, ({ order }) => order.kind === 'sale' && order.outcome === outcome);
    }
    return faults;
  }

  /** Answered sale events without their entry in the event stream, and entries that tell two stories, as sentences. */
  missingEvents(events: readonly ToldEvent[], ids: ReadonlyMap<number, string>): string[] {
    const faults: string[] = [];
    for (const { order, word } of this.#replies) {
      const results = EVENT_RESULTS[word];
      if (order.kind !== 'sale' || !results) continue;
      const own = events.filter((event) => event.calculationId === ids.get(order.calculation));
      const told = own.filter((event) => results.includes(event.result) && event.status === order.status);
      if (told.length === 0) faults.push(`${describe(order)} was answered ${word}, and no event tells of it`);
      const stories = new Set(own.filter(({ result }) => result === 'recorded').map((event) => JSON.stringify(event)));
      if (stories.size > 1 && !this.reborn.has(order.calculation))
        faults.push(`calculation ${order.calculation}: events differ: ${[...stories].join(' ')}`);
    }
    return faults;
  }
}

/** Which events may stand for an answer: a duplicate may be one of an event that came before its calculation. */
const EVENT_RESULTS: Readonly<Record<string, readonly string[]>> = {
  recorded: ['recorded'],
  duplicate: ['recorded', 'unknown_calculation'],
  unknown_calculation: ['unknown_calculation'],
};

/**
 * The invariants of the reservations, as sentences about what breaks them. `lost` are calculations whose hold was taken away
 * while the clock was ahead, each with its deadline; `reborn` those whose ID another member may have taken over.
 */
export function brokenInvariants(
  sight: Sight,
  ids: ReadonlyMap<number, string>,
  lost: ReadonlyMap<number, number> = new Map(),
  reborn: ReadonlySet<number> = new Set(),
): string[] {
  const faults: string[] = [];
  const calculations = [...sight.calculations.values()].filter((each) => each.print !== undefined);
  for (const [at, { consumed, over, holds, soldBefore }] of sight.members.entries()) {
    const own = calculations.filter((each) => each.member === at);
    for (const [use, limit] of LIMITS) {
      const held = [...holds.values()].reduce((sum, { uses }) => sum + unitsOf(uses, use), 0);
      const [taken, beyond] = [consumed.get(use) ?? 0, over.get(use) ?? 0];
      if (taken + held > limit + beyond)
        faults.push(
          `member ${at}: ${use} is oversold: consumed ${taken} + held ${held} > limit ${limit} + over ${beyond}`,
        );
      const isSold = (each: SeenCalculation) => each.outcome?.startsWith('applied') && !each.isReturned;
      const units = own.filter(isSold).reduce((sum, { uses }) => sum + unitsOf(uses, use), 0);
      const sold = units + (soldBefore.get(use) ?? 0);
      if (sold !== taken) faults.push(`member ${at}: ${use} was consumed ${taken} times, but sold ${sold} times`);
    }
    const live = own.filter((each) => isLive(each, sight.nowMs) && lost.get(each.number) !== each.deadlineMs);
    for (const each of live) {
      const hold = holds.get(ids.get(each.number)!);
      if (hold?.deadlineMs !== each.deadlineMs || !sameItems(hold.uses, each.uses))
        faults.push(`calculation ${each.number} is open and its hold is ${JSON.stringify(hold)}`);
    }
    const left = [...reborn].filter((number) => sight.calculations.get(number)?.member !== at);
    const expected = live.length + left.filter((number) => holds.has(ids.get(number)!)).length;
    if (holds.size > expected) faults.push(`member ${at}: ${holds.size} holds for ${expected} open calculations`);
  }
  return faults;
}

export function isLive(each: SeenCalculation, nowMs: number): boolean {
  return each.outcome === undefined && !each.isSuperseded && each.deadlineMs > nowMs && each.uses.length > 0;
}

/** Where Redis differs from the model, as a sentence; a new deadline may be off by as much as the call took. */
export function difference(model: Model, sight: Sight, slackMs: number): string | undefined {
  for (const [number, expected] of model.calculations) {
    const seen = sight.calculations.get(number);
    const fault = seen ? differenceOf(expected, seen, sight.nowMs, slackMs) : 'is not there';
    if (fault !== undefined) return `calculation ${number} ${fault}`;
  }
  for (const number of sight.calculations.keys())
    if (!model.calculations.has(number)) return `calculation ${number} should not be there`;
  for (const [at, { consumed, over }] of sight.members.entries()) {
    for (const use of LIMITS.keys()) {
      const pairs = [
        ['consumed', model.consumed, consumed],
        ['over-redeemed', model.over, over],
      ] as const;
      for (const [name, expected, seen] of pairs) {
        const [due, is] = [expected.get(`${at} ${use}`) ?? 0, seen.get(use) ?? 0];
        if (due !== is) return `member ${at}: ${use} ${name} is ${is} instead of ${due}`;
      }
    }
  }
  return undefined;
}

function differenceOf(due: Calculation, seen: SeenCalculation, nowMs: number, slackMs: number): string | undefined {
  if (due.print !== seen.print) return `was committed as ${seen.print} instead of ${due.print}`;
  if (due.sale !== seen.outcome) return `was sold as ${seen.outcome} instead of ${due.sale}`;
  // One that had expired is not marked any more: its sale is late either way.
  const isOver = due.print !== undefined && due.deadlineMs <= nowMs;
  const isMarkDue = !(isOver || seen.state === 'expired');
  const isMarkWrong = seen.isSuperseded !== due.isSuperseded && (isMarkDue || !due.isSuperseded);
  if (isMarkWrong && due.isSoldUnseen !== true) return 'differs in being superseded';
  if (!sameItems(due.uses, seen.uses)) return `took ${seen.uses.join(' ')} instead of ${due.uses.join(' ')}`;
  // One that is sold holds nothing, and keeps the end that it had when it was sold.
  if (due.print !== undefined && due.sale === undefined && Math.abs(due.deadlineMs - seen.deadlineMs) > slackMs)
    return `ends at ${seen.deadlineMs} instead of ${due.deadlineMs}`;
  if (due.pendingRelease === undefined && seen.pendingRelease !== undefined) return 'left a release undone';
  return undefined;
}

function sameItems(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join(' ') === other.toSorted().join(' ');
}

/** An order in one line, as a history is printed. */
export function describe(order: Order): string {
  const at = `at process ${order.process}`;
  if (order.kind === 'sale') return `sale of ${order.calculation} as "${order.outcome}" ${at}`;
  const { calculation, member, venue, day, groups, supersedes } = order;
  const successor = supersedes === undefined ? '' : `, supersedes ${supersedes}`;
  return `basket ${calculation} of member ${member} (${groups.join(', ')}; venue ${venue}, day ${day}${successor}) ${at}`;
}
