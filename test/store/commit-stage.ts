/** What the tests of the commit's script share: its keys and arguments by name, and what it leaves. */
import { BreakerOpen } from '../../src/redis/failure.ts';
import { runScript } from '../../src/store/scripts.ts';
import { until } from '../support/wait.ts';
import type { useFixture } from './fixture.ts';
import { plain } from './plain.ts';

export const [CALC, ANSWER, HOLD, USE, OLDER] = ['calc', 'answer', 'hold', 'use', 'older'] as const;
export const [INDEX, DUE] = ['index', 'due'] as const;
export const FAR_MS = Date.UTC(2100, 0, 1);
export const [HOLD_MS, ANSWER_MS, RETENTION_MS] = [30_000, 60_000, 90_000];
export const [LOOK_MS, OVER_MS] = [30_000, 5_000];

/** The script's arguments by name; a test names those that it is about. */
const USUAL = {
  ...{ id: 'new', print: 'print', deadline: FAR_MS, holdMs: HOLD_MS, answerMs: ANSWER_MS, retentionMs: RETENTION_MS },
  ...{ answer: 'bytes', venue: 'oslo', uses: '', superseded: '', pending: '', sale: '', successor: '' },
  ...{ status: 'applied', total: '', kept: '', tier: '', share: '', reason: '', common: '', lent: 0 },
  ...{ member: 'anna', entry: 'claimed', look: LOOK_MS, over: OVER_MS, given: '' },
};

export function useCommits(fixture: ReturnType<typeof useFixture>) {
  return {
    commit: async (more: Partial<typeof USUAL> = {}) => {
      const { given, ...named } = { ...USUAL, ...more };
      const args = [...Object.values(named), ...(given === '' ? [] : given.split(' '))];
      const keys = [CALC, ANSWER, HOLD, USE, OLDER, 'held', 'holds-due', INDEX, DUE];
      // While the breaker is open, because Redis was silent for a moment on a busy machine, nothing is sent.
      return until('the script to be sent', () =>
        runScript(fixture.store.connection, 'commit-calculation', keys, args).then(plain, (error: unknown) => {
          if (!(error instanceof BreakerOpen)) throw error;
          return undefined;
        }),
      );
    },
    record: () => fixture.redis.client.hgetall(CALC),
  };
}

/** The reply of a commit that was made. */
export const committed = (more: Partial<Record<number, unknown>> = {}) =>
  Object.values({ ...['committed', 0, 0, '', '', 0], ...more });
