/**
 * The compiler lays its output out as the sources are: each package below its own folder. What is packed shows the package's own
 * files at the top, and the contract that it takes along beside them: `index.js`, `contract/sale.js`.
 */
import { posix } from 'node:path';

/** The text of every file by its path. */
export type Files = ReadonlyMap<string, string>;

/** How sources name the contract, and where the compiler puts it. */
const CONTRACT = { name: '@loyalty/contract/', folder: 'packages/contract/src/' };

/** The same files under the package's paths, with their imports led there. Throws when two files would be one. */
export function relocate(name: string, emitted: Files): Files {
  const placeOf = (path: string): string => {
    if (path.startsWith(CONTRACT.folder)) return path.replace(CONTRACT.folder, 'contract/');
    const own = `packages/${name}/src/`;
    if (!path.startsWith(own)) throw new Error(`${path} is neither of this package nor of the contract`);
    return path.slice(own.length);
  };
  const relocated = new Map<string, string>();
  for (const [path, text] of emitted) {
    const place = placeOf(path);
    if (relocated.has(place)) throw new Error(`two sources would become ${place}`);
    relocated.set(place, leadImports(path, text, emitted, placeOf));
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

function leadImports(path: string, text: string, emitted: Files, placeOf: (path: string) => string): string {
  return text.replace(IMPORT, (whole, before: string, quote: string, specifier: string) => {
    const isContract = specifier.startsWith(CONTRACT.name);
    if (!isContract && !specifier.startsWith('.')) return whole;
    const source = isContract
      ? `${specifier.replace(CONTRACT.name, CONTRACT.folder)}.js`
      : posix.join(posix.dirname(path), specifier);
    // Declarations keep the ending of the source.
    const target = source.replace(/\.ts$/, '.js');
    if (!emitted.has(target)) throw new Error(`${path} imports ${specifier}, which was not emitted`);
    const led = posix.relative(posix.dirname(placeOf(path)), placeOf(target));
    return `${before}${quote}${led.startsWith('.') ? led : `./${led}`}${quote}`;
  });
}
