import { checkValue, type DecimalsAt } from './check.ts';
import { type CombinedFile, combineFiles } from './combined-file.ts';
import type { Fault, LocatedFault } from './configuration-error.ts';
import { isObject } from './is-object.ts';
import { findFaults } from './relations.ts';
import { EnvironmentFile } from './schema.ts';
import type { Settings } from './setting-relations.ts';
import type { EnvironmentSource } from './source.ts';
import { decimalsIn, findPointedAmounts } from './written-amounts.ts';

/** Finds all faults of an environment at once: those of its files, of each entry, and between entries. */

export const DEFAULT_SETTINGS = {
  rateLimit: { sustained: 50, burst: 200 },
  calculation: { holdMinutes: 30, idempotencyHours: 24, retentionDays: 7 },
  returns: { days: 30 },
  latencyBudget: { p95: 150, p99: 250, deadline: 400 },
} as const;

/** A file without faults, its settings complete. */
export type SoundFile = EnvironmentFile & Settings;

export interface Judgement {
  /** In the order in which they are worth mending: the first one is what the start tells. */
  readonly faults: readonly LocatedFault[];
  /** Undefined when there are faults. */
  readonly file: SoundFile | undefined;
  /**
   * The entries without faults, for warnings; the others are null, and fields of a programme undefined. Undefined when the files are
   * no environment at all.
   */
  readonly soundPart: EnvironmentFile | undefined;
  readonly combined: CombinedFile;
}

export function judge(source: EnvironmentSource): Judgement {
  const combined = combineFiles(source);
  const { value, isWhole } = combined;
  const decimalsAt = decimalsIn(value);
  const faults = checkValue(EnvironmentFile, value, '', decimalsAt).filter(
    // A file that could not be read may have what is missing.
    ({ path, found }) => isWhole || found !== 'nothing' || /[.[]/.test(path),
  );
  const lists = isWhole ? listsOf(value) : undefined;
  if (lists) {
    faults.push(...findRelationFaults(lists, entriesOf(faults), decimalsAt));
    faults.push(...findPointedAmounts(keepSound(lists, entriesOf(faults)), combined, decimalsAt));
  }
  const located = [...combined.faults, ...faults.map(combined.locate)];
  return {
    faults: located,
    file: located.length === 0 ? fillIn(value as EnvironmentFile) : undefined,
    soundPart: lists && keepSound(lists, entriesOf(faults)),
    combined,
  };
}

/** The file when its lists are lists, so that their entries can be looked at one by one. */
function listsOf(value: unknown): Lists | undefined {
  const { venues, programmes, members = [] } = value as EnvironmentFile;
  const areLists = Array.isArray(venues) && Array.isArray(programmes) && Array.isArray(members);
  return areLists ? { ...(value as EnvironmentFile), members } : undefined;
}

type Lists = EnvironmentFile & { readonly members: NonNullable<EnvironmentFile['members']> };

/** The entries with faults: `latencyBudget`, `venues[0]`, `programmes[0].maximumSteps`, `programmes[0].benefits[1]`. */
function entriesOf(faults: readonly Fault[]): ReadonlySet<string> {
  const entry = /^programmes\[\d+\]\.(?:benefits\[\d+\]|\w+)|^[^.[]*(?:\[\d+\])?/;
  return new Set(faults.map(({ path }) => entry.exec(path)![0]));
}

function findRelationFaults(file: Lists, unsound: ReadonlySet<string>, decimalsAt: DecimalsAt): Iterable<Fault> {
  const isSound = (name: string) => !unsound.has(name);
  const settings = [...Object.keys(DEFAULT_SETTINGS), 'requestedAt'].every(isSound) ? fillIn(file) : undefined;
  const venueIds = file.venues.flatMap((venue) => (typeof venue?.venueId === 'string' ? [venue.venueId] : []));
  return findFaults(keepSound(file, unsound), { settings, venueIds, decimalsAt });
}

/** Puts null in the place of entries with faults, so that the others keep their numbers; fields of programmes are then undefined. */
function keepSound(file: Lists, unsound: ReadonlySet<string>): Lists {
  const keep = <Entry>(entries: readonly Entry[], path: string) =>
    entries.map((entry, i) => (unsound.has(`${path}[${i}]`) ? (null as Entry) : entry));
  const programmes = file.programmes.map((programme, p) => {
    const path = `programmes[${p}]`;
    const fields = Object.entries(isObject(programme) ? programme : {}).map(([name, value]) => {
      if (unsound.has(`${path}.${name}`)) return [name, undefined];
      return [name, name === 'benefits' ? keep(value as object[], `${path}.benefits`) : value];
    });
    return Object.fromEntries(fields) as typeof programme;
  });
  return { ...file, venues: keep(file.venues, 'venues'), programmes, members: keep(file.members, 'members') };
}

function fillIn(file: EnvironmentFile): SoundFile {
  const settings = Object.entries(DEFAULT_SETTINGS).map(([name, defaults]) => [
    name,
    { ...defaults, ...file[name as keyof typeof DEFAULT_SETTINGS] },
  ]);
  return { ...file, ...Object.fromEntries(settings) };
}
