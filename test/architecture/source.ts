import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with comments blanked out, line breaks kept. */
  readonly code: string;
  /** The text with comments and the contents of strings and patterns blanked out. */
  readonly bare: string;
}

/** Every source file below the given folders; a folder that does not exist has none. */
export function readSources(folders: readonly string[], endings: readonly string[] = ['.ts', '.mjs']): SourceFile[] {
  return folders.flatMap((folder) =>
    listFiles(folder)
      .filter((path) => endings.some((ending) => path.endsWith(ending)))
      .map((path) => parseSource(path, readFileSync(join(ROOT, path), 'utf8'))),
  );
}

function listFiles(folder: string): string[] {
  let entries: string[];
  try {
    entries = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
  const paths = entries.map((entry) => posix.join(folder, entry.replaceAll('\\', '/'))).sort();
  // What a folder has installed for itself is not ours, and what is built of our sources is no source.
  return paths.filter((path) => !/(?:^|\/)node_modules\/|^packages\/[^/]+\/lib\//.test(path));
}

export function parseSource(path: string, text: string): SourceFile {
  return { path, text, ...(path.endsWith('.lua') ? blankLua(text) : blankScript(path, text)) };
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

function blankLua(text: string): { code: string; bare: string } {
  const code = text.replace(/--\[\[[\s\S]*?\]\]|--[^\n]*/g, blank);
  return { code, bare: code.replace(/'[^'\n]*'|"[^"\n]*"/g, blank) };
}

function blankScript(path: string, text: string): { code: string; bare: string } {
  const { program, comments } = parseSync(path, text, { sourceType: 'module' });
  const strings: Span[] = [];
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === 'string' || 'regex' in node) strings.push(node);
    },
    TemplateElement: (node) => {
      strings.push(node);
    },
  }).visit(program);
  const code = blankSpans(text, comments);
  return { code, bare: blankSpans(code, strings) };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function blankSpans(text: string, spans: readonly Span[]): string {
  let at = 0;
  const pieces = spans
    .toSorted((a, b) => a.start - b.start)
    .flatMap(({ start, end }) => {
      const before = text.slice(at, start);
      at = end;
      return [before, blank(text.slice(start, end))];
    });
  return [...pieces, text.slice(at)].join('');
}
