/** Whatever a page, a comment or a setting names is there: files, headings, and sections of the interface. */
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineAt, listRepository, parseSource, ROOT } from './source.ts';

/** What people read: a whole page or settings file, or the comments of a source. */
interface Text {
  readonly path: string;
  readonly text: string;
}

const files = listRepository();
/** Lock files, vectors and dashboards are data. */
const WHOLE = /\.(?:md|ya?ml|jsonc|service|html|py|php|kts|java|go|cs)$|(?:^|\/)(?:Dockerfile|package\.json|run)$/;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const texts: readonly Text[] = files.flatMap((path) => {
  if (/\.(?:ts|mjs|js|lua)$/.test(path)) return [{ path, text: parseSource(path, read(path)).comments }];
  return WHOLE.test(path) ? [{ path, text: read(path) }] : [];
});
/** Sources whole: their messages and commands name paths too. Tests hold made-up ones. */
const sources: readonly Text[] = files
  .filter((path) => /\.(?:ts|mjs)$/.test(path) && path.includes('/') && !path.split('/').includes('test'))
  .map((path) => ({ path, text: read(path) }));

/** Files and folders from the root, and the ends of the paths of files, whole names only; with what a run or a build makes. */
const paths = new Set(['bench/results']);
const endings = new Set(['lib/index.d.ts']);
for (const file of files) {
  const names = file.split('/');
  for (let at = 1; at <= names.length; at += 1) {
    paths.add(names.slice(0, at).join('/'));
    endings.add(names.slice(at - 1).join('/'));
  }
}

const WORD = /(?<![\w@$./:~>*{}-])(?:\.{1,2}\/)*[\w.*{}-][\w.*{},-]*(?:\/[\w.*{},-]+)*\/?/g;
const LINK = /\]\((?![a-z]+:)([^)\s]+)\)/g;
const FENCED = /^(```|~~~)[\s\S]*?^\1/gm;

/** A path with `*` or `{a,b}` must match something. */
function exists(path: string): boolean {
  return /[*{]/.test(path) ? globSync(path, { cwd: ROOT }).length > 0 : paths.has(path.replace(/\/$/, ''));
}

/**
 * False for a word that names a path which is not there: one that begins with a folder of the root and exists neither from there
 * nor from the text's own folder or one above it, or one that ends as a source does and that no path ends in.
 */
function isTrue(from: string, word: string): boolean {
  const [root] = word.split('/', 1) as [string];
  if (word.includes('node_modules/')) return true;
  if (word.includes('/') && paths.has(root)) {
    for (let folder = posix.dirname(from); ; folder = posix.dirname(folder)) {
      if (exists(posix.join(folder, word))) return true;
      if (folder === '.') return false;
    }
  }
  const name = word.replace(/^(?:\.{1,2}\/)+/, '');
  return !/\w\.(?:ts|mjs|lua)$/.test(name) || /[*{]/.test(name) || endings.has(name);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of page.replace(FENCED, '').matchAll(/^#{1,6} +(.*?) *$/gm)) {
    const anchor = heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

function isLinkTrue(from: string, link: string, own: string): boolean {
  const [target, heading] = link.split('#', 2) as [string, string?];
  const path = target === '' ? from : posix.join(posix.dirname(from), target);
  if (!exists(path)) return false;
  if (heading === undefined || !path.endsWith('.md')) return true;
  return anchorsOf(path === from ? own : read(path)).has(heading);
}

function stalePathsOf({ path, text }: Text, isOfRoot = false): string[] {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word: word.replace(/[.,]+$/, ''), index }));
  const judged = isOfRoot ? words.filter(({ word }) => word.includes('/') && paths.has(word.split('/', 1)[0]!)) : words;
  const stale = judged.filter(({ word }) => !isTrue(path, word));
  return stale.map(({ word, index }) => `${path}:${lineAt(text, index)}: there is no ${word}`);
}

function staleLinksOf({ path, text }: Text): string[] {
  const links = path.endsWith('.md') ? [...text.replace(FENCED, '').matchAll(LINK)].map(([, link]) => link!) : [];
  return links.filter((link) => !isLinkTrue(path, link, text)).map((link) => `${path}: there is no ${link}`);
}

describe('a path that is named exists', () => {
  it('in pages, settings and comments', () => {
    expect(texts.flatMap((text) => [...stalePathsOf(text), ...staleLinksOf(text)])).toEqual([]);
  });

  it('in what code says and runs', () => {
    expect(sources.flatMap((source) => stalePathsOf(source, true))).toEqual([]);
  });

  const find = (text: string) => [
    ...stalePathsOf({ path: 'docs/events.md', text }),
    ...staleLinksOf({ path: 'docs/events.md', text }),
  ];

  it.each([
    ['See `docs/reasons.md`, src/basket/gone.ts and ../store/gone.ts.', 3],
    ['All of src/store/*.sql and src/{shop,till}/.', 2],
    ['[Reasons](reasons.md) [a heading](decisions.md#no-such-heading)', 2],
    ['src/store/keys.ts, store/keys.ts, ./keys.ts, `src/store/scripts/*.lua`, bench/results/, node_modules/a/b.ts', 0],
    ['uWebSockets.js, Node.js, a/b, basket.json, /docs, https://example.com/docs/a.ts', 0],
    ['# A b\n\n[above](#a-b) [c](../src/store) [d](https://a.b/c.md)\n```sh\n[not a link](nowhere.md)\n```', 0],
  ])('finds in %j what is not there', (text, count) => {
    expect(find(text)).toHaveLength(count);
  });
});

describe('a section of the interface that is cited exists', () => {
  const sections = new Set(
    [...read('docs/interface.md').matchAll(/^#{2,4} (\d+(?:\.\d+)?)[. ]/gm)].map(([, at]) => at),
  );
  const CITED = /(RFC \d+,\s+(?:(?:\*|\/\/)\s+)?)?\b(?:sections?\s+(?:(?:\*|\/\/)\s+)?|section: ')(\d[\d., and]*)/gi;

  const find = ({ path, text }: Text) =>
    [...text.matchAll(CITED)].flatMap(({ 1: other, 2: numbers, index }) => {
      const cited = other ? [] : numbers!.match(/\d+(?:\.\d+)?/g)!;
      const unknown = cited.filter((number) => !sections.has(number));
      return unknown.map((number) => `${path}:${lineAt(text, index)}: the interface has no section ${number}`);
    });

  it('in this repository', () => {
    expect([...texts, ...sources].flatMap(find)).toEqual([]);
  });

  it.each([
    ['/** Replays (interface, section\n * 99). */', 1],
    ["{ section: '4.5, 98' } (interface, sections 2 and 97)", 2],
    ['Errors (interface, sections 4.5 and 7), RFC 9110, section 10.1.1, in the live section.', 0],
  ])('finds in %j what is not there', (text, count) => {
    expect(find({ path: 'a', text })).toHaveLength(count);
  });
});
