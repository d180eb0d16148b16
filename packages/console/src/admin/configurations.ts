import { findRestartedLimits } from '../../../../src/programme/changes.ts';
import { combineFiles } from '../../../../src/programme/combined-file.ts';
import { findDifferences } from '../../../../src/programme/differences/differences.ts';
import { type NotedChange, readChanges } from '../../../../src/store/changes.ts';
import {
  type NotedConfiguration,
  readConfigurationFiles,
  readConfigurations,
} from '../../../../src/store/configuration-history.ts';
import type { Store } from '../../../../src/store/store.ts';
import { PUT_IN_FORCE } from './put-in-force.ts';
import { type AdminRoute, answered, refused } from './route.ts';

/** What was in force, since when and until when, what changed between any two, and what people have changed besides. */

const MOST_CHANGES = 1_000;
/** Between a version's first instant and the answer to whoever put it in force. */
const MOST_RELOAD_MS = 120_000;
const NOT_KEPT = 'No such version is kept; the last 200 configurations are.';

export const readConfigurationsRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/configurations',
  role: 'read',
  operationId: 'readConfigurations',
  summary: 'What was in force, and what was changed',
  description:
    'Every configuration that was in force, newest first, since when and until when, with the `note` at the top of its file: the last 200. Beside them the last 1,000 changes of people, newest first: configurations, writes of the administration, and imports, with who and what. They name no loyalty ID.',
  answerSchema: 'Configurations',
  async handle(administration) {
    const { store } = administration.current();
    const [noted, written] = await Promise.all([readConfigurations(store), readChanges(store, MOST_CHANGES)]);
    const configurations = noted.toReversed().map(describe);
    const puts = written.filter(({ action }) => action === PUT_IN_FORCE);
    const changes = [
      ...configurations.map(({ since: at, version, note }) => {
        const who = authorOf(puts, version, Date.parse(at));
        return { at, action: 'configuration', version, ...(note && { note }), ...(who !== undefined && { who }) };
      }),
      // A configuration that the administration put in force stands there once, with its author.
      ...written
        .filter((change) => !puts.includes(change))
        .map(({ atMs, ...rest }) => ({ at: new Date(atMs).toISOString(), ...rest })),
    ];
    const listed = changes.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, MOST_CHANGES);
    return answered({ configurations, changes: listed });
  },
};

export const readPastConfigurationRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/configurations/{version}',
  role: 'admin',
  operationId: 'readPastConfiguration',
  summary: 'The files of a configuration, as they were',
  description:
    'The text of each file of one version, to read or to put in force again. An erased member stands there as `erased`.',
  answerSchema: 'PastConfiguration',
  failures: { notFound: NOT_KEPT },
  async handle(administration, { parameters: { version = '' } }) {
    const { store } = administration.current();
    const files = await readConfigurationFiles(store, version);
    if (!files) return refused('notFound', NOT_KEPT);
    const noted = (await readConfigurations(store)).findLast((each) => each.version === version);
    return answered({ ...(noted && describe(noted)), version, files }, { audit: { version } });
  },
};

export const compareConfigurationsRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/configurations/{a}/diff/{b}',
  role: 'read',
  operationId: 'compareConfigurations',
  summary: 'What changed between two configurations',
  description:
    'In the words of an operator, from `a` to `b`: "Happy coffee: 20 % → 25 %". Members of the files are counted and not named. `restartedLimits` are limits that began anew.',
  answerSchema: 'ConfigurationDifferences',
  failures: { notFound: NOT_KEPT },
  async handle(administration, { parameters: { a = '', b = '' } }) {
    const { store } = administration.current();
    const [before, after] = await Promise.all([readValue(store, a), readValue(store, b)]);
    if (before === undefined || after === undefined) return refused('notFound', NOT_KEPT);
    const restartedLimits = findRestartedLimits(programmesOf(before), programmesOf(after));
    return answered({ from: a, to: b, differences: findDifferences(before, after), restartedLimits });
  },
};

/** Who put a version in force at about that time; undefined where its files were changed in another way. */
function authorOf(puts: readonly NotedChange[], version: string, sinceMs: number): string | undefined {
  const own = puts.filter(({ facts }) => facts['version'] === version);
  return own.find(({ atMs }) => Math.abs(atMs - sinceMs) < MOST_RELOAD_MS)?.who;
}

function describe({ sinceMs, untilMs, ...facts }: NotedConfiguration) {
  const until = untilMs === undefined ? {} : { until: new Date(untilMs).toISOString() };
  return { ...facts, since: new Date(sinceMs).toISOString(), ...until };
}

/** The value of a version's files as they were written; each was without errors when it came into force. */
async function readValue(store: Store, version: string): Promise<unknown> {
  const files = await readConfigurationFiles(store, version);
  return files && combineFiles({ path: version, files }).value;
}

function programmesOf(value: unknown): Parameters<typeof findRestartedLimits>[0] {
  const { programmes } = value as { programmes?: Parameters<typeof findRestartedLimits>[0] };
  return programmes ?? [];
}
