import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders that were installed, or made by a run or a build. */
const NOT_OURS = /^(?:\.git|\.toolchain|\.data|node_modules|lib)$/;

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with comments blanked out, and the text with all but comments blanked out: every character stays at its place. */
  readonly code: string;
  readonly comments: string;
}

/** All files of the repository below a folder, from its root, with slashes. */
export function listRepository(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.test(entry.name)) return [];
    const path = posix.join(folder, entry.name);
    return entry.isDirectory() ? listRepository(path) : [path];
  });
}

/** Every source file below the given folders. */
export function readSources(folders: readonly string[], endings = /\.(?:ts|mjs|lua)$/): SourceFile[] {
  return folders
    .flatMap((folder) => listRepository(folder))
    .filter((path) => endings.test(path))
    .map((path) => parseSource(path, readFileSync(join(ROOT, path), 'utf8')));
}

export function parseSource(path: string, text: string): SourceFile {
  const spans = path.endsWith('.lua')
    ? [...text.matchAll(/--[^\n]*/g)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }))
    : parseSync(path, text, { sourceType: 'module' }).comments;
  let [code, comments, at] = ['', '', 0];
  for (const { start, end } of [...spans, { start: text.length, end: text.length }]) {
    code += text.slice(at, start) + blank(text.slice(start, end));
    comments += blank(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return { path, text, code, comments };
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
