/**
 * The compiler lays its output out as the sources are: the package's own folder deep down, the service's rooms beside it. A
 * package shows its own files at the top, and the rooms that it takes along beside them: `index.js`, `contract/sale.js`.
 */
import { posix } from 'node:path';

/** The text of every file by its path. */
export type Files = ReadonlyMap<string, string>;

/** Where a package's own sources lie, and those of the rooms that it takes along. */
const RELOCATED = /^(?:packages\/[^/]+\/)?src\//;

/** The same files under the package's paths, with their imports led there. Throws when two files would be one. */
export function relocate(emitted: Files): Files {
  const relocated = new Map<string, string>();
  for (const [path, text] of emitted) {
    const place = placeOf(path);
    if (relocated.has(place)) throw new Error(`two sources would become ${place}`);
    relocated.set(place, leadImports(path, text, emitted));
  }
  return relocated;
}

/** The packages that these files import, sorted. */
export function packagesOf(files: Files): string[] {
  const specifiers = [...files.values()].flatMap((text) =>
    [...text.matchAll(IMPORT), ...text.matchAll(REQUIRED)].map(({ groups }) => groups!['specifier']!),
  );
  const outside = specifiers.filter((specifier) => !/^(?:\.|node:)/.test(specifier));
  const names = outside.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
  return [...new Set(names)].sort();
}

/** An import as the compiler writes it, static at the beginning of a line or dynamic. */
const IMPORT =
  /(?<before>^(?:import|export)\b(?:[^;'"]*?\bfrom)?\s*|\bimport\(\s*)(?<quote>['"])(?<specifier>[^'"\n]+)\k<quote>/gm;

/** A package that is loaded when it is first needed. */
const REQUIRED = /\bcreateRequire\(import\.meta\.url\)\(\s*(['"])(?<specifier>[^'"\n]+)\1/g;

function placeOf(path: string): string {
  if (!RELOCATED.test(path)) throw new Error(`${path} belongs to no package`);
  return path.replace(RELOCATED, '');
}

function leadImports(path: string, text: string, emitted: Files): string {
  return text.replace(IMPORT, (whole, before: string, quote: string, specifier: string) => {
    if (!specifier.startsWith('.')) return whole;
    // Declarations keep the ending of the source.
    const target = posix.join(posix.dirname(path), specifier).replace(/\.ts$/, '.js');
    if (!emitted.has(target)) throw new Error(`${path} imports ${specifier}, which was not emitted`);
    const led = posix.relative(posix.dirname(placeOf(path)), placeOf(target));
    return `${before}${quote}${led.startsWith('.') ? led : `./${led}`}${quote}`;
  });
}
