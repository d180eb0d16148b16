import type { CallEnd } from '../../../src/gateway/exchange.ts';

/** The end of a call that was answered, or that ended otherwise. */
export function endOf(more: Partial<CallEnd> = {}): CallEnd {
  return {
    ...{ requestId: 'r', trace: undefined, status: 200, refusal: undefined, isAborted: false },
    ...{ durationMs: 1, phases: {} },
    ...more,
  };
}
