import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSource, ROOT } from './source.ts';

/** What people read: a whole page or settings file, or the comments of a source file, each character at its place. */
export interface Text {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Folders that were installed or made by a run. */
const NOT_OURS: ReadonlySet<string> = new Set(['.git', '.toolchain', '.data', 'node_modules']);
const SOURCE = /\.(?:ts|mjs|js|css|lua)$/;
/** Lock files, vectors and dashboards are data; package.json is full of paths. */
const WHOLE =
  /\.(?:md|ya?ml|jsonc|service|html|py|php|kts|java|go|cs)$|(?:^|\/)(?:Dockerfile|package\.json|tsconfig\.json|run)$/;

/** All files of the repository, from its root, with slashes. */
export function listRepository(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const path = posix.join(folder, entry.name);
    return entry.isDirectory() ? listRepository(path) : [path];
  });
}

/** The texts of those files that have one. */
export function readTexts(files: readonly string[]): Text[] {
  return files
    .filter((path) => SOURCE.test(path) || WHOLE.test(path))
    .map((path) => textOf(path, readFileSync(join(ROOT, path), 'utf8')));
}

export function textOf(path: string, whole: string): Text {
  return { path, text: SOURCE.test(path) ? commentsOf(path, whole) : whole };
}

/** Code is blanked out as comments are elsewhere: what the two have in common is neither. */
function commentsOf(path: string, whole: string): string {
  const { code } = parseSource(path, whole);
  return whole.replace(/[^\n]/g, (character, at: number) => (code[at] === character ? ' ' : character));
}
