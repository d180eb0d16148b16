/** The stages of the corpus: conversations that need settings of their own have a stage of their own. */
import { corpusConfiguration } from './configuration.ts';
import { BODIES } from './conversations/bodies.ts';
import { CHECKS } from './conversations/checks.ts';
import { EXPIRY } from './conversations/expiry.ts';
import { FAILURES } from './conversations/failures.ts';
import { KINDS } from './conversations/kinds.ts';
import { LIMITS } from './conversations/limits.ts';
import { MEMBERS } from './conversations/members.ts';
import { RATE } from './conversations/rate.ts';
import { RELOAD } from './conversations/reload.ts';
import { REPLAYS } from './conversations/replays.ts';
import { RETURNS } from './conversations/returns.ts';
import { SALES } from './conversations/sales.ts';
import { STATUSES } from './conversations/statuses.ts';
import { SUPERSESSION } from './conversations/supersession.ts';
import type { StageWords } from './play.ts';

const testMembers = ['tester-hold', 'tester-key', 'tester-right'];

export const STAGES: Readonly<Record<string, StageWords>> = {
  usual: {
    configuration: corpusConfiguration({ testMembers }),
    themes: {
      ...{ statuses: STATUSES, kinds: KINDS, bodies: BODIES, checks: CHECKS, replays: REPLAYS, sales: SALES },
      ...{ supersession: SUPERSESSION, limits: LIMITS, returns: RETURNS, members: MEMBERS },
    },
  },
  'short holds': {
    configuration: corpusConfiguration({ holdMinutes: 0.1 }),
    themes: { expiry: EXPIRY },
    isConcurrent: true,
  },
  'an empty bucket': {
    configuration: corpusConfiguration({ rateLimit: { sustained: 1, burst: 10 } }),
    themes: { rate: RATE },
  },
  'changes and failures': { configuration: corpusConfiguration(), themes: { reload: RELOAD, failures: FAILURES } },
};
