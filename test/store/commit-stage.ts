/** What the tests of the commit's script share: its arguments, what it answers, and what it leaves. */
import { commitScript } from '../../src/store/scripts/calculations.ts';
import type { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

export const [CALC, ANSWER, HOLD, USE, OLDER] = ['calculation', 'answer', 'hold', 'use', 'superseded'] as const;
export const [INDEX, DUE] = ['index', 'due'] as const;
export const FAR_MS = Date.UTC(2100, 0, 1);
export const [HOLD_MS, ANSWER_MS, RETENTION_MS] = [30_000, 60_000, 90_000];
export const [LOOK_MS, OVER_MS] = [30_000, 5_000];

type Args = Parameters<typeof commitScript>[2];

/** The script's arguments; a test names those that it is about. */
const USUAL: Args = {
  calculationId: 'new',
  member: 'anna' as Args['member'],
  fingerprint: 'print',
  deadlineMs: FAR_MS,
  holdMs: HOLD_MS,
  idempotencyMs: ANSWER_MS,
  retentionMs: RETENTION_MS,
  storedForm: Buffer.from('bytes'),
  status: 'applied',
  total: undefined,
  reason: undefined,
  venueId: 'oslo',
  tier: undefined,
  share: undefined,
  kept: undefined,
  given: [],
  uses: '',
  common: '',
  isLent: false,
  supersededHere: '',
  supersededElsewhere: '',
  saleBefore: '',
  successorBefore: '',
  entryRead: 'claimed',
  lookMs: LOOK_MS,
  callOverMs: OVER_MS,
};

export function useCommits(fixture: ReturnType<typeof useFixture>) {
  const { call } = useScripts(fixture);
  return {
    commit: (more: Partial<Args> = {}) => call(commitScript, { ...USUAL, ...more }),
    record: () => fixture.redis.client.hgetall(CALC),
  };
}

/** The reply of a commit that was made. */
export const committed = (more: object = {}) => ({
  outcome: 'committed',
  holdsMade: 0,
  holdsReleased: 0,
  pendingRelease: '',
  givenBack: '',
  holdsCommon: false,
  ...more,
});

/** The reply of a commit whose limits have so much left. */
export const shortage = (left: Readonly<Record<string, number>>) => ({
  outcome: 'shortage',
  left: new Map(Object.entries(left)),
});
