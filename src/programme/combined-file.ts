import { type Fault, type LocatedFault, type Place, show } from './configuration-error.ts';
import { isObject } from './is-object.ts';
import { nearestName } from './nearest-name.ts';
import type { EnvironmentSource } from './source.ts';
import { type LocatedWarning, parseYamlFile, type YamlFile } from './yaml-file.ts';

/**
 * The files of an environment as one value. Lists (`venues`, `programmes`, `members`) are joined in the order of the
 * files; every other name stands in one file only. A fault's path is translated back to the file that it is in.
 */
export interface CombinedFile {
  readonly value: Readonly<Record<string, unknown>>;
  /** Faults of the files themselves: no YAML, no mapping, a name in two files. */
  readonly faults: readonly LocatedFault[];
  /** True when every file was read, so that a missing name is missing. */
  readonly isWhole: boolean;
  locate(fault: Fault): LocatedFault;
  placeOf(path: string, key?: string): Place;
  /** The number, true or false at a path as its file writes it; undefined where there is none. */
  writtenAt(path: string): string | undefined;
  findWritingWarnings(): readonly LocatedWarning[];
}

const LISTS = ['venues', 'programmes', 'members'];

/** The origin of a top-level name, or of an entry of a list. */
interface Origin {
  readonly file: YamlFile;
  /** The number of the entry's list before this file's own entries. */
  readonly before: number;
}

export function combineFiles({ path: sourcePath, files: sources }: EnvironmentSource): CombinedFile {
  const files = sources.map(parseYamlFile);
  const { value, origins, faults } = joinFiles(files);
  /** The file that a path, or a name at the top, is in, and the path as that file counts it. */
  const ownPlace = (path: string, name = path) => {
    const alone = files.length === 1 ? { file: files[0]!, before: 0 } : undefined;
    const origin = findOrigin(origins, name) ?? alone;
    const own = path.replace(
      /^(\w+)\[(\d+)\]/,
      (_, list, index) => `${list}[${Number(index) - (origin?.before ?? 0)}]`,
    );
    return origin && { file: origin.file, own };
  };
  const placeOf = (path: string, key?: string): Place => {
    const place = ownPlace(path, path === '' ? key : path);
    if (place === undefined) return { file: sourcePath, path };
    const { file, own } = place;
    return { file: file.name, ...file.positionOf(own, key), path: own };
  };
  const writtenAt = (path: string): string | undefined => {
    const place = ownPlace(path);
    return place?.file.writtenAt(place.own);
  };
  return {
    value,
    faults,
    isWhole: files.every((file) => isObject(file.value)),
    placeOf,
    writtenAt,
    locate: (fault) => locateFault(inQuotes(fault, writtenAt(fault.path)), placeOf),
    findWritingWarnings: () => files.flatMap((file) => file.findWritingWarnings()),
  };
}

function joinFiles(files: readonly YamlFile[]) {
  const value: Record<string, unknown> = {};
  const origins = new Map<string, Origin[]>();
  const faults: LocatedFault[] = files.flatMap((file) => file.faults);
  for (const file of files.filter((each) => each.faults.length === 0)) {
    const place = { file: file.name, ...file.positionOf(''), path: '' };
    if (!isObject(file.value)) {
      const found = file.value === null ? 'an empty file' : show(file.value);
      faults.push({ ...place, found, allowed: 'a mapping' });
      continue;
    }
    for (const [name, own] of Object.entries(file.value)) {
      const list = value[name];
      const first = origins.get(name)?.[0];
      if (LISTS.includes(name) && Array.isArray(list) && Array.isArray(own)) {
        origins.get(name)!.push({ file, before: list.length });
        value[name] = [...list, ...own];
      } else if (first !== undefined && !isShared(name)) {
        const allowed = `the key in one file only: ${first.file.name} has it`;
        faults.push({ ...place, ...file.positionOf('', name), path: name, found: 'the key a second time', allowed });
      } else {
        origins.set(name, [{ file, before: 0 }]);
        value[name] = own;
      }
    }
  }
  return { value, origins, faults };
}

/** Names for anchored pieces, which each file may have for itself. */
function isShared(name: string): boolean {
  return name.startsWith('x-');
}

function findOrigin(origins: ReadonlyMap<string, readonly Origin[]>, path: string): Origin | undefined {
  const [, name = '', index] = /^([^.[]*)(?:\[(\d+)\])?/.exec(path)!;
  return origins.get(name)?.findLast(({ before }) => index === undefined || before <= Number(index));
}

/** A fault of a text without quotes names what the file writes: YAML makes 42 of 0042. */
function inQuotes(fault: Fault, written: string | undefined): Fault {
  const { readAs, allowed } = fault;
  if (readAs === undefined || written === undefined) return fault;
  const found = `${written}, which YAML reads as ${readAs}`;
  return { ...fault, found, allowed: `${allowed}; write ${show(written)} with its quotes` };
}

function locateFault(fault: Fault, placeOf: CombinedFile['placeOf']): LocatedFault {
  const { path, found, allowed, key, unknown, mentions } = fault;
  const place = placeOf(path, key);
  const nearest = unknown && nearestName(unknown.name, unknown.known);
  return {
    ...place,
    found,
    allowed: mentions === undefined ? allowed : allowed.replace(mentions, wordsOf(placeOf(mentions), place)),
    ...(nearest !== undefined && { nearest }),
  };
}

/** Another place as a path, with its file when that is another one. */
function wordsOf({ file, path }: Place, { file: own }: Place): string {
  return file === own ? path : `${path} in ${file}`;
}
