import { posix } from 'node:path';
import { lineAt } from './source.ts';
import type { Text } from './texts.ts';

/**
 * The paths that a text names. A word names a path of this repository when one of these holds; no other word is judged:
 *
 * - It begins with a folder of the root (`src/`, `docs/`, …). It must exist from the root, or from the text's own folder
 *   or one above it, so that a package may speak of its own `src/`.
 * - It ends in `.ts`, `.mjs` or `.lua`. The path of some file must end in it, whole names only (`store/keys.ts`).
 * - It stands in a page, between backquotes, and ends in a slash (`store/`). The path of some folder must end in it.
 * - A link of a page leads to it. It must exist from the page's folder; after `#`, the page there must have the heading.
 *
 * `*` stands for any part of a name and `{a,b}` for either; something must match. Files of installed packages
 * (`node_modules/`) are left alone.
 */
export interface Named {
  readonly word: string;
  readonly index: number;
}

/** Made by a run, and left out of the repository. */
const MADE_BY_A_RUN: readonly string[] = ['bench/results/'];

const IN_A_PACKAGE = /(?:^|\/)node_modules\//;
const NAME = String.raw`(?:[\w.*-]|\{[\w.,*-]*\})+`;
const WORD = new RegExp(String.raw`(?<![\w@$./:~>*{}-])(?:\.{1,2}/)*${NAME}(?:/${NAME})*/?`, 'g');
const SOURCE_FILE = /[\w*}]\.(?:ts|mjs|lua)$/;
const FOLDER = /(?<=`)[\w-]+(?:\/[\w.-]+)*\/(?=`)/g;
const LINK = /\]\((?![a-z]+:)([^)\s]+)\)/g;
const FENCED = /^(```|~~~)[\s\S]*?^\1/gm;

/** One line per path that a text names and the repository does not have. */
export function findStalePaths(texts: readonly Text[], files: readonly string[]): string[] {
  const tree = treeOf(files);
  const pages = new Map(texts.map(({ path, text }) => [path, text]));
  return texts.flatMap((text) => {
    const isPage = text.path.endsWith('.md');
    return describe(text, [
      ...wordsOf(text).filter(({ word }) => !isKnownWord(tree, text.path, word)),
      ...(isPage ? find(text, FOLDER).filter(({ word }) => !tree.hasEnding(word)) : []),
      ...(isPage ? linksOf(text).filter(({ word }) => !isKnownLink(tree, pages, text.path, word)) : []),
    ]);
  });
}

/** The same for code, whose messages and commands name paths too: only words that begin with a folder of the root. */
export function findStaleRootPaths(sources: readonly Text[], files: readonly string[]): string[] {
  const tree = treeOf(files);
  return sources.flatMap((source) =>
    describe(
      source,
      wordsOf(source).filter(({ word }) => tree.startsAtRoot(word) && !isKnownWord(tree, source.path, word)),
    ),
  );
}

function describe({ path, text }: Text, stale: readonly Named[]): string[] {
  return [...new Set(stale.map(({ word, index }) => `${path}:${lineAt(text, index)}: there is no ${word}`))];
}

function treeOf(files: readonly string[]): Tree {
  return new Tree([...files, ...MADE_BY_A_RUN.map((folder) => `${folder}any`)]);
}

/** The words of a text that may name something, without the full stop of a sentence. */
function wordsOf(text: Text): Named[] {
  return find(text, WORD).map(({ word, index }) => ({ word: word.replace(/\.+$/, ''), index }));
}

function linksOf({ path, text }: Text): Named[] {
  const prose = text.replace(FENCED, (block) => block.replace(/[^\n]/g, ' '));
  return find({ path, text: prose }, LINK, 1);
}

function find({ text }: Text, pattern: RegExp, group = 0): Named[] {
  return [...text.matchAll(pattern)].map((match) => ({ word: match[group]!, index: match.index }));
}

function isKnownWord(tree: Tree, from: string, word: string): boolean {
  const folder = posix.dirname(from);
  if (IN_A_PACKAGE.test(word)) return true;
  // The commands of a unit are run in the root.
  const places = [posix.join(folder, word), posix.normalize(word)];
  if (word.startsWith('.')) return !SOURCE_FILE.test(word) || places.some((place) => tree.has(place));
  if (tree.startsAtRoot(word)) return foldersUpFrom(folder).some((above) => tree.has(posix.join(above, word)));
  return !SOURCE_FILE.test(word) || tree.hasEnding(word);
}

function isKnownLink(tree: Tree, pages: ReadonlyMap<string, string>, from: string, link: string): boolean {
  const [target, heading] = link.split('#', 2) as [string, string?];
  const path = target === '' ? from : posix.join(posix.dirname(from), target);
  if (!tree.has(path)) return false;
  const page = pages.get(path);
  return heading === undefined || page === undefined || anchorsOf(page).has(heading);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of page.replace(FENCED, '').matchAll(/^#{1,6} +(.*?) *$/gm)) {
    const text = heading!.toLowerCase().replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '');
    const anchor = text.replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** `a/b` → `a/b`, `a` and the root. */
function foldersUpFrom(folder: string): string[] {
  return folder === '.' ? ['.'] : [folder, ...foldersUpFrom(posix.dirname(folder))];
}

/** A word with a wildcard is compared with every path, any other is looked up. */
const WILDCARD = /[*{]/;

/** The files of the repository and, by them, its folders. */
class Tree {
  readonly #files: readonly string[];
  readonly #roots: ReadonlySet<string>;
  /** Files and folders from the root. */
  readonly #paths = new Set<string>();
  /** The ends of their paths, whole names only; those of folders have a slash behind them. */
  readonly #endings = new Set<string>();

  constructor(files: readonly string[]) {
    this.#files = files;
    this.#roots = new Set(files.filter((path) => path.includes('/')).map((path) => path.slice(0, path.indexOf('/'))));
    for (const file of files) {
      const names = file.split('/');
      for (let end = 1; end <= names.length; end += 1) {
        this.#paths.add(names.slice(0, end).join('/'));
        const slash = end < names.length ? '/' : '';
        for (let start = 0; start < end; start += 1) this.#endings.add(names.slice(start, end).join('/') + slash);
      }
    }
  }

  /** Whether a word has a slash and begins with a folder of the root. */
  startsAtRoot(word: string): boolean {
    return word.includes('/') && this.#roots.has(word.slice(0, word.indexOf('/')));
  }

  has(path: string): boolean {
    if (!WILDCARD.test(path)) return this.#paths.has(path.replace(/\/$/, ''));
    return this.#matches(`^${patternOf(path)}(?:/|$)`);
  }

  /** Whether the path of a file ends in these names, or that of a folder when a slash is the last. */
  hasEnding(names: string): boolean {
    if (!WILDCARD.test(names)) return this.#endings.has(names);
    return this.#matches(`(?:^|/)${patternOf(names)}${names.endsWith('/') ? '/' : '$'}`);
  }

  #matches(pattern: string): boolean {
    const matcher = new RegExp(pattern);
    return this.#files.some((path) => matcher.test(path));
  }
}

function patternOf(path: string): string {
  const parts = path.replace(/\/$/, '').split(/(\*+|\{[^}]*\})/);
  return parts
    .map((part) => {
      if (part.startsWith('*')) return '[^/]*';
      if (part.startsWith('{')) return `(?:${part.slice(1, -1).split(',').map(literal).join('|')})`;
      return literal(part);
    })
    .join('');
}

function literal(text: string): string {
  return text.replace(/[.+?^$()|[\]\\{}*]/g, '\\$&');
}
