/** Answers in words that the model says too, and what is said when they differ. */
import type { Answer } from '../support/answer.ts';
import type { AppliedBody, UnchangedBody } from '../support/wire.ts';
import type { Order } from './history.ts';
import { describe, type Reply } from './judge.ts';
import type { Model } from './model.ts';

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
  return `applied ${body.lines.map((line) => line.lineDiscountPercent ?? 0).join(' ')}`;
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
