import { type AdminCall, type AdminRoute, answered, refused } from './route.ts';

/** CPU profiles and heap snapshots, without a debugger's port. */

const KINDS = ['cpu', 'heap'] as const;
const DEFAULT_SECONDS = 10;
const MAX_SECONDS = 60;

export const writeProfileRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/profile',
  role: 'admin',
  isUnlisted: true,
  action: 'make a profile',
  operationId: 'writeProfile',
  summary: 'Make a CPU profile or a heap snapshot',
  description:
    'Written into `DATA_DIR/profiles` of the machine, for its owner only; the answer names the file, which the developer tools of Chrome open. A heap snapshot contains the secrets and baskets in memory, and holds the calls of its process while it is written: about a second for each 100 MB.',
  query: {
    kind: '`cpu` (if absent) or `heap`.',
    seconds: `The length of a CPU profile, from 1 to ${MAX_SECONDS}; ${DEFAULT_SECONDS} if absent.`,
    process: 'The number of a service process, from 1; 1 if absent.',
  },
  answerSchema: 'Profile',
  failures: {
    invalid: 'No such kind, or a number that is not allowed.',
    conflict: 'Another profile is being made, or the process cannot make one.',
  },
  async handle(administration, { query }: AdminCall) {
    const kind = KINDS.find((known) => known === (query.get('kind') ?? 'cpu'));
    if (!kind) return refused('invalid', `kind: allowed: ${KINDS.join(', ')}`);
    const seconds = wholeNumber(query.get('seconds') ?? String(DEFAULT_SECONDS), MAX_SECONDS);
    if (seconds === undefined) return refused('invalid', `seconds: allowed: a whole number from 1 to ${MAX_SECONDS}`);
    const { processes } = administration;
    const process = wholeNumber(query.get('process') ?? '1', processes);
    if (process === undefined) return refused('invalid', `process: allowed: a whole number from 1 to ${processes}`);
    const made = await administration.profile({ kind, seconds, process });
    if (made.outcome === 'refused') return refused('conflict', `No profile was made: ${made.reason}.`);
    const { file } = made;
    return answered({ kind, process, file }, { audit: { profile: kind, file } });
  },
};

function wholeNumber(text: string, maximum: number): number | undefined {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= maximum ? number : undefined;
}
