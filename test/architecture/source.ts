import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  readonly specifier: string;
  /** For a relative import the file it names, from the root of the repository; otherwise undefined. */
  readonly target: string | undefined;
  /** True when nothing of it is left at run time: `import type … from`. */
  readonly typeOnly: boolean;
  readonly line: number;
}

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The text with comments blanked out, line breaks kept. */
  readonly code: string;
  /** The text with comments and the contents of strings and patterns blanked out. */
  readonly bare: string;
  readonly imports: readonly Import[];
}

/** Every source file below the given folders; a folder that does not exist has none. */
export function readSources(folders: readonly string[], endings: readonly string[] = ['.ts', '.mjs']): SourceFile[] {
  return folders.flatMap((folder) =>
    listFiles(folder)
      .filter((path) => endings.some((ending) => path.endsWith(ending)))
      .map(readSource),
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

/** A source file outside all folders. */
export function readSource(path: string): SourceFile {
  return parseSource(path, readFileSync(join(ROOT, path), 'utf8'));
}

export function parseSource(path: string, text: string): SourceFile {
  const { code, bare } = path.endsWith('.lua') ? blankLua(text) : blankTypeScript(text);
  return { path, text, code, bare, imports: findImports(path, code, bare) };
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

const IMPORT_FORMS: readonly RegExp[] = [
  /^[ \t]*(?:import|export)\s+(?<type>type\s+(?!from\b))?[\w\s{},*$]*?from\s*(?<quote>['"])(?<specifier>[^'"\n]+)\k<quote>/gm,
  /^[ \t]*import\s*(?<quote>['"])(?<specifier>[^'"\n]+)\k<quote>/gm,
  /\b(?:import|require(?:\.resolve)?|new\s+URL)\s*\(\s*(?<quote>['"])(?<specifier>[^'"\n]+)\k<quote>/g,
];

function findImports(path: string, code: string, bare: string): Import[] {
  const found = IMPORT_FORMS.flatMap((form) => [...code.matchAll(form)]);
  return found
    .filter((match) => /\b(?:import|export|require|URL)\b/.test(bare.slice(match.index, match.index + match[0].length)))
    .filter((match) => !match[0].includes('URL') || /^\.{0,2}\//.test(match.groups!['specifier']!))
    .map((match) => {
      const specifier = match.groups!['specifier']!;
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
      return { specifier, target, typeOnly: match.groups!['type'] !== undefined, line: lineAt(code, match.index) };
    })
    .sort((a, b) => a.line - b.line);
}

/** The package an import names, or undefined for a relative import or one of Node's own modules. */
export function packageOf(specifier: string): string | undefined {
  if (/^(?:node:|\.|\/)/.test(specifier)) return undefined;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

function blankLua(text: string): { code: string; bare: string } {
  const code = text.replace(/--\[\[[\s\S]*?\]\]|--[^\n]*/g, blank);
  return { code, bare: code.replace(/'[^'\n]*'|"[^"\n]*"/g, blank) };
}

/**
 * Comments, strings and patterns of TypeScript, first to start wins. A template's text is blanked piece by piece, so what
 * stands in its `${}` stays code.
 */
const TOKEN =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|(?<tick>`)|(?<open>\{)|(?<close>\})|(?<=(?:^|[(,=:[!&|?{};]|\breturn|=>)\s*)(?<pattern>\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/)/gm;
const TEMPLATE_PIECE = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y;

function blankTypeScript(text: string): { code: string; bare: string } {
  const code: string[] = [];
  const bare: string[] = [];
  const put = (piece: string, shown: 'code' | 'string' | 'comment') => {
    code.push(shown === 'comment' ? blank(piece) : piece);
    bare.push(shown === 'code' ? piece : blank(piece));
  };
  /** For each open brace, whether it is a template's `${`. */
  const braces: boolean[] = [];
  let at = 0;
  const takeTemplatePiece = () => {
    TEMPLATE_PIECE.lastIndex = at;
    const piece = TEMPLATE_PIECE.exec(text)?.[0] ?? '';
    at += piece.length;
    const opens = piece.endsWith('${');
    put(opens ? piece.slice(0, -2) : piece, 'string');
    if (opens) put('${', 'code');
    if (opens) braces.push(true);
  };
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (token === null) break;
    put(text.slice(at, token.index), 'code');
    at = token.index + token[0].length;
    const { comment, string, pattern, tick, open } = token.groups!;
    if (comment !== undefined) put(comment, 'comment');
    else if (string !== undefined || pattern !== undefined) put(token[0], 'string');
    else {
      put(token[0], tick === undefined ? 'code' : 'string');
      if (open !== undefined) braces.push(false);
      else if (tick !== undefined || braces.pop() === true) takeTemplatePiece();
    }
  }
  put(text.slice(at), 'code');
  return { code: code.join(''), bare: bare.join('') };
}
