import { type Refusal, refuse } from '../contract/errors.ts';
import { MAX_IDENTIFIER_CHARACTERS } from '../contract/limits.ts';
import { reasonOf, StoreUnavailable } from '../redis/failure.ts';
import type { Stopwatch } from '../telemetry/stopwatch.ts';
import type { CallFacts, Outcome, Task, TaskResult } from './messages.ts';

/** The end of a call whose work has ended with an outcome, with what the log says of it. */
export function resultOf(task: Task, outcome: Outcome, facts: CallFacts, stopwatch: Stopwatch): TaskResult {
  const { phases } = stopwatch;
  if (outcome.kind === 'refusal') {
    noteRefusal(task, outcome, facts, stopwatch);
    return { ...outcome, facts, phases };
  }
  // Written out, because spreading an outcome of several shapes costs more than the rest of this file.
  const { kind, body, isReplayed, record, redemption } = outcome;
  const result = { kind, body, isReplayed, facts, phases };
  if (record === undefined && redemption === undefined) return result;
  return { ...result, ...(record !== undefined && { record }), ...(redemption && { redemption }) };
}

/** What an error of its work makes of a call. */
export function toRefusal(error: unknown, facts: CallFacts): Outcome {
  if (error instanceof StoreUnavailable) {
    facts.reason = reasonOf(error);
    if (error.redisCause) facts.cause = error.redisCause;
    if (error.server) facts.server = error.server;
    return unavailable();
  }
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'refusal', refusal: refuse('internal_error'), fault };
}

export function unavailable(message?: string) {
  return { kind: 'refusal', refusal: refuse('unavailable', message === undefined ? {} : { message }) } as const;
}

/** The refusal of a call whose script came after its deadline. */
export function tooLate() {
  return unavailable('The call could not be finished in time.');
}

/** Adds what support needs of a refused call: its phase when its time ran out, otherwise the till that sent it. */
function noteRefusal(task: Task, { refusal }: { refusal: Refusal }, facts: CallFacts, stopwatch: Stopwatch): void {
  if (refusal.code === 'unavailable') {
    // A script that came too late refuses without an error.
    facts.reason ??= 'deadline';
    if (facts.reason === 'deadline') facts.phase = stopwatch.runningPhase;
  } else if (task.route === 'basket') Object.assign(facts, findSender(task.body));
}

const MAX_CONTEXT_BYTES = 4096;

/**
 * Finds the venue and the terminal setup in a basket that was refused, for the log: of a basket that is no JSON, or has a
 * fault in its schema, nothing else tells who sent it. It searches the bytes, because reading the body once more would
 * make refusing a call cost more than answering it.
 */
function findSender(body: Uint8Array): { venueId?: string; terminal?: string } {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const context = sectionAt(bytes, bytes.indexOf('"context"'));
  const [venueId, terminal] = [textOf(context, 'venueId'), textOf(context, 'baxId')];
  // A caller may have mixed its fields up, and no log line names a loyalty ID.
  const loyaltyId = textOf(sectionAt(bytes, bytes.indexOf('"loyaltyId"')), 'loyaltyId');
  return {
    ...(venueId !== undefined && venueId !== loyaltyId && { venueId }),
    ...(terminal !== undefined && terminal !== loyaltyId && { terminal }),
  };
}

/** The text from a place of the body on, as far as its fields may reach; empty without a place. */
function sectionAt(bytes: Buffer, start: number): string {
  return start < 0 ? '' : bytes.subarray(start, start + MAX_CONTEXT_BYTES).toString('utf8');
}

/** The first text under this name, if it is an identifier as the schema allows it. */
function textOf(json: string, name: 'venueId' | 'baxId' | 'loyaltyId'): string | undefined {
  const literal = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(json)?.[1];
  if (literal === undefined) return undefined;
  try {
    const text: string = JSON.parse(literal);
    return text.length <= MAX_IDENTIFIER_CHARACTERS ? text : undefined;
  } catch {
    return undefined;
  }
}
