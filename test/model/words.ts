/** Answers in words that the model says too, and what is said when they differ. */
import { COMMIT_MARGIN_MS } from '@loyalty/contract/limits';
import type { Answer } from '../support/answer.ts';
import type { AppliedBody, UnchangedBody } from '../support/wire.ts';
import type { BasketOrder, Order } from './history.ts';
import { describe, type Reply } from './judge.ts';
import type { Model } from './model.ts';
import { appliedWord } from './price.ts';
import { BENEFITS, countersOf, type Group } from './world.ts';

/** A promise that the service has not kept. */
export class Violation extends Error {}

export function wordOf(order: Order, answer: Answer): string {
  if (answer.status === 503) return 'unavailable';
  if (answer.status === 409) return 'conflict';
  if (answer.status !== 200) throw new Violation(`${describe(order)} was answered ${answer.status} ${answer.text}`);
  if (order.kind === 'sale') return answer.json<{ result: string }>().result;
  if (answer.isReplayed) return 'replay';
  const body = answer.json<AppliedBody | UnchangedBody | { status: 'member_not_found' }>();
  if (body.status === 'member_not_found') return body.status;
  if (body.status === 'unchanged') return `unchanged ${body.reason}`;
  return wordOfLines(order, body.lines);
}

/** Percentages line by line; of goods whose benefit counts money, what they save, for each counter. */
function wordOfLines({ day }: BasketOrder, lines: AppliedBody['lines']): string {
  const percents: number[] = [];
  const given = new Map<string, number>();
  for (const { productGroupId, lineDiscountPercent, lineDiscountAmount } of lines) {
    const money = BENEFITS.find(
      ({ groups, limit }) => limit?.counts === 'money' && groups.includes(productGroupId as Group),
    );
    if (!money) percents.push(lineDiscountPercent ?? 0);
    else if (lineDiscountAmount > 0) {
      const [key] = countersOf(money, day) as [string];
      given.set(key, (given.get(key) ?? 0) + lineDiscountAmount);
    }
  }
  return appliedWord(percents, given);
}

/**
 * An answer whose sale event was faster holds nothing and nobody waits for it: beside others its discount may be that of
 * any moment since it was first priced.
 */
export function isMoot(model: Model, order: Order, due: string, word: string): boolean {
  const isFresh = (each: string) => each.startsWith('applied') || each.startsWith('unchanged');
  const present = model.calculations.get(order.calculation);
  const hasEnded = present?.sale !== undefined || present?.isSuperseded === true;
  return order.kind === 'basket' && hasEnded && isFresh(due) && isFresh(word);
}

/** A supersession reads and commits in two moments: beside it others may see either. */
export function supersedes(replies: readonly Reply[]): boolean {
  return replies.some(({ order }) => order.kind === 'basket' && order.supersedes !== undefined);
}

export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

/** True for a call that was answered when its time was nearly over, and so left undone what is done after its answer. */
export function tookAll({ sentMs, answeredMs }: Reply, deadlineMs: number): boolean {
  return answeredMs - sentMs > deadlineMs - COMMIT_MARGIN_MS;
}
