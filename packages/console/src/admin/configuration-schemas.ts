import type { Static } from '@loyalty/contract/schema-type';
import { count, described, instant, list, number, object, optional, text } from './schema-words.ts';

/** The answers about configurations that were in force, for the OpenAPI document. */

const facts = {
  version: text,
  since: instant,
  until: optional(described(instant, 'Absent of the one in force.')),
  note: optional(described(text, '`note` of the file: the words of its author.')),
};

export const Configurations = object({
  configurations: list(object({ ...facts, files: list(text) })),
  changes: described(
    list(
      object({
        at: instant,
        action: described(text, '`configuration`, `import members`, or the name of the route in the audit log.'),
        version: optional(text),
        note: optional(text),
        who: optional(
          described(
            text,
            'The name of the token, or the user who ran a command; of a configuration whoever put it in force here.',
          ),
        ),
        facts: optional(described({ type: 'object' }, 'As in the audit log, with pseudonyms of members.')),
      }),
    ),
    'All that people have changed, newest first.',
  ),
});

export type Configurations = Static<typeof Configurations>;

export const PastConfiguration = object({
  ...facts,
  since: optional(instant),
  files: list(object({ name: text, text })),
});

export const ConfigurationDifferences = object({
  from: text,
  to: text,
  differences: list(object({ path: text, text: described(text, '`Happy coffee: 20 % → 25 %`') })),
  restartedLimits: described(list(text), 'Limits that began anew, a sentence each.'),
});

/** What is in force. */
export const Configuration = object({
  environment: described(text, 'As the company calls it; only names that begin with staging have test clocks.'),
  version: text,
  files: described(list(text), 'The files that it was read from.'),
  rateLimit: object({ sustained: count, burst: count }),
  calculation: object({ holdMs: count, idempotencyMs: count, retentionMs: count, soldMs: count }),
  latencyBudget: object({ p95Ms: count, p99Ms: count, deadlineMs: count }),
  requestedAt: optional(object({ pastHours: number, aheadMinutes: number })),
  members: described(count, 'Members that the file names; there are more in Redis.'),
  secrets: described(count, 'Signing secrets that are active.'),
  venues: described(list({ type: 'object' }), 'As the file words them.'),
  programmes: described(list({ type: 'object' }), 'As the file words them.'),
});
