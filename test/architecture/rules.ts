import { KINDS } from '@loyalty/engine/benefits/register';
import { lineAt, type SourceFile } from './source.ts';

/** What no tool checks. `layers.config.mjs`, `knip.jsonc` and `biome.jsonc` have the other rules. */
export type Rule = (files: readonly SourceFile[]) => string[];

const IMPURE = /\b(?:Date\.now|Math\.random|async\b|await\b)|\bnew\s+Date\s*\(\s*\)|(?<!new\s+)\bDate\s*\(/g;

/** Pricing and money are arithmetic: no clock, no randomness, nothing that waits. */
export const pureLayers: Rule = (files) =>
  filesBelow(files, ['packages/engine/src/', 'packages/contract/src/money/']).flatMap((file) =>
    findAll(file, file.bare, IMPURE, 'pricing and money must not use'),
  );

const KINDS_HOME = 'packages/engine/src/benefits/';
const KIND_NAME = new RegExp(`\\b(?:${Object.keys(KINDS).join('|')})\\b`, 'g');
const KIND_QUESTION = /\.kind\b|\bkind\s*[=!]==?|[=!]==?\s*kind\b|\bswitch\s*\(\s*kind\b/g;

/** A trace calls a lowered unit price by a name that a kind has too, whichever kind lowered it. */
const TRACED_WORDS: Readonly<Record<string, string>> = {
  'packages/engine/src/types.ts': 'unit_price',
  'packages/engine/src/trace/trace.ts': 'unit_price',
};

/** Pricing knows families of rules: it names no kind, not even in a comment, and asks for none. */
export const kindsAtHome: Rule = (files) =>
  filesBelow(files, ['packages/engine/src/'])
    .filter(({ path }) => !path.startsWith(KINDS_HOME))
    .flatMap((file) => [
      ...findAll(file, file.text, KIND_NAME, 'a kind is named only in its own file:', (name) => {
        return name !== TRACED_WORDS[file.path];
      }),
      ...findAll(file, file.bare, KIND_QUESTION, 'what depends on the kind belongs into its file:'),
    ]);

const STATUS_FORMS: readonly RegExp[] = [
  // The status line that a server library is given: '200 OK', '404'.
  /(['"`])[1-5]\d\d(?: [A-Z][A-Za-z ]+)?\1/g,
  // status: 404, statusCode = 404, status === 404, status >= 400.
  /\b\w*[sS]tatus(?:Code)?\b\s*(?:[:=]|===?|!==?|[<>]=?)\s*[1-5]\d\d\b(?!_)/g,
  // A status handed to whatever answers: reply(404, …), writeStatus(404), sendJson(response, isReady ? 200 : 503, body).
  /\b(?:reply|answer|refuse|respond|send|write|status)\w*\((?:[^()\n]*[\s,?:(])?[1-5]\d\d(?=\s*[,):?])/gi,
  /\bcase\s+[1-5]\d\d\s*:/g,
];

/** An HTTP status number stands in one catalogue. The live page, which a browser runs, cannot import it. */
export const statusOnlyInContract: Rule = (files) =>
  files
    .filter(({ path }) => !/^(?:workers|packages\/contract\/src|packages\/console\/src\/pages\/live)\//.test(path))
    .flatMap((file) =>
      STATUS_FORMS.flatMap((form) => findAll(file, file.code, form, 'a status belongs to packages/contract/src:')),
    );

/** The nouns of the key table, as they stand in a key: after a colon and before a colon, a value or the end.
 * The first group leaves out the module `node:events`. */
const KEY_FORM = /(?<!['"]nod)(['"`}\w]|\.\.\s*['"]):(?:rate|index|member|use|hold|calc|events)(?=[:'"`])/g;

/** A Redis key is put together in one place, so that hash tags and encodings cannot differ. */
export const keysOnlyInOneFile: Rule = (files) =>
  files
    .filter((file) => file.path !== 'src/store/keys.ts')
    .flatMap((file) =>
      findAll(file, file.code, KEY_FORM, 'a Redis key is built only in src/store/keys.ts:', (text, index) => {
        // Only inside a string or template: `{ member: 'x' }` and `a ? b :use` are code.
        return file.bare[index + text.length - 1] === ' ';
      }),
    );

/** Random cases come from a seed, or a test fails once in a while, and differently in another order of the files. */
export const seededCases: Rule = (files) =>
  files.flatMap(({ path, bare }) => {
    const [properties, seeds] = [/\bfc\s*\.\s*(?:assert|check|sample)\(/g, /\bdrawn\(|\bseed\b\s*[:,}]/g].map(
      (form) => [...bare.matchAll(form)].length,
    ) as [number, number];
    return properties <= seeds ? [] : [`${path}: ${properties} properties, and a seed for ${seeds} of them`];
  });

function filesBelow(files: readonly SourceFile[], folders: readonly string[]): SourceFile[] {
  return files.filter(({ path }) => folders.some((folder) => path.startsWith(folder)));
}

function findAll(
  file: SourceFile,
  text: string,
  pattern: RegExp,
  message: string,
  isFault: (match: string, index: number) => boolean = () => true,
): string[] {
  return [...text.matchAll(pattern)]
    .filter((match) => isFault(match[0], match.index))
    .map((match) => `${file.path}:${lineAt(text, match.index)}: ${message} ${match[0].trim()}`);
}
