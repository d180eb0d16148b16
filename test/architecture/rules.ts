import { KINDS } from '../../src/pricing/benefits/register.ts';
import { lineAt, packageOf, type SourceFile } from './source.ts';

/**
 * The rooms of the house, from the top floor down, each with the rooms below it that it may import, and those of which it
 * may use the types only. A permission that nobody uses is a fault of this table. `workers` are the thread entries.
 */
interface Room {
  readonly imports: readonly string[];
  /** Rooms that may be named by `import type` only. */
  readonly types?: readonly string[];
}

export const ROOMS: Readonly<Record<string, Room>> = {
  main: { imports: ['process', 'settings'] },
  workers: { imports: ['threads', 'tools'], types: ['calls'] },
  process: {
    imports: [
      'settings',
      'ops',
      'gateway',
      'threads',
      'calls',
      'store',
      'redis',
      'programme',
      'recording',
      'telemetry',
      'contract',
    ],
  },
  tools: {
    imports: [
      'settings',
      'calls',
      'store',
      'redis',
      'programme',
      'pricing',
      'basket',
      'money',
      'contract',
      'packages/client',
      'packages/conformance',
      'workers',
      'recording',
      'telemetry',
    ],
  },
  settings: { imports: ['ops', 'redis', 'contract'] },
  gateway: { imports: ['threads', 'store', 'redis', 'telemetry', 'contract'], types: ['calls'] },
  ops: {
    imports: ['openapi', 'calls', 'store', 'redis', 'programme', 'pricing', 'basket', 'contract'],
    types: ['telemetry'],
  },
  openapi: { imports: ['contract'] },
  threads: { imports: ['calls', 'programme', 'store', 'redis', 'telemetry', 'workers'], types: ['recording'] },
  calls: {
    imports: [
      'returns',
      'store',
      'redis',
      'recording',
      'programme',
      'pricing',
      'basket',
      'money',
      'telemetry',
      'contract',
    ],
  },
  returns: { imports: ['pricing', 'money'], types: ['contract'] },
  store: { imports: ['redis', 'contract'] },
  redis: { imports: ['telemetry'] },
  recording: { imports: ['contract'], types: ['pricing'] },
  programme: { imports: ['pricing', 'money', 'contract'] },
  pricing: { imports: ['money', 'contract'] },
  basket: { imports: ['money', 'contract'] },
  money: { imports: [] },
  telemetry: { imports: ['contract'] },
  contract: { imports: [] },
  // The caller's half and the judge can be lifted out of the repository: the wire and exact arithmetic come along.
  'packages/client': { imports: ['basket', 'money', 'contract'] },
  'packages/conformance': { imports: ['basket', 'money', 'contract'] },
};

export type Rule = (files: readonly SourceFile[]) => string[];

/** `src/calls/messages.ts` → `calls`; `src/main.ts` → `main`; `packages/client/src/client.ts` → `packages/client`. */
function roomOf(path: string): string | undefined {
  return /^(?:src\/([^/]+?)(?:\.ts)?|(workers)|(packages\/[^/]+))(?:\/|$)/.exec(path)?.slice(1).find(Boolean);
}

function inRooms(files: readonly SourceFile[], rooms: readonly string[]): SourceFile[] {
  return files.filter((file) => rooms.includes(roomOf(file.path) ?? ''));
}

/** A room imports only rooms below it, and every room is in the table. */
export const importDirection: Rule = (files) =>
  files
    .filter((file) => roomOf(file.path) !== undefined)
    .flatMap((file) => {
      const name = roomOf(file.path)!;
      const room = ROOMS[name];
      if (room === undefined) return [`${file.path}: ${name} is no room of the table in test/architecture/rules.ts`];
      return file.imports.flatMap(({ target, typeOnly, line }) => {
        // Data, such as the version in package.json, is no room.
        if (target === undefined || target.endsWith('.json')) return [];
        const other = roomOf(target);
        if (other === name) return [];
        if (other === undefined) return [`${file.path}:${line}: ${name} imports ${target}, which is in no room`];
        const isAllowed = room.imports.includes(other) || (typeOnly && (room.types ?? []).includes(other));
        return isAllowed ? [] : [`${file.path}:${line}: ${name} must not import ${target}`];
      });
    });

/** Permissions of the table that no file uses. */
export const deadPermissions: Rule = (files) => {
  const used = new Set<string>();
  for (const { path, imports } of files) {
    for (const { target, typeOnly } of imports) {
      const [from, to] = [roomOf(path), target === undefined ? undefined : roomOf(target)];
      if (from === undefined || to === undefined || from === to) continue;
      used.add(`${from} imports types of ${to}`);
      if (!typeOnly) used.add(`${from} imports ${to}`);
    }
  }
  return Object.entries(ROOMS)
    .flatMap(([name, { imports, types = [] }]) => [
      ...imports.map((other) => `${name} imports ${other}`),
      ...types.map((other) => `${name} imports types of ${other}`),
    ])
    .filter((permission) => !used.has(permission))
    .map((permission) => `test/architecture/rules.ts: nothing uses "${permission}"`);
};

/** A floor plan that can be kept in mind. */
export const MOST_ROOMS_IN_SRC = 19;
export const MOST_ARROWS = 76;

/** The rooms of src/ and the arrows between them, as imports draw them. */
export function floorPlan(files: readonly SourceFile[]): { rooms: string[]; arrows: string[] } {
  const isInSrc = (room: string | undefined) => room !== undefined && room !== 'workers' && !room.includes('/');
  const rooms = new Set<string>();
  const arrows = new Set<string>();
  for (const { path, imports } of files) {
    const from = roomOf(path);
    if (!isInSrc(from)) continue;
    rooms.add(from!);
    for (const { target } of imports) {
      const to = target === undefined ? undefined : roomOf(target);
      if (isInSrc(to) && to !== from) arrows.add(`${from} → ${to}`);
    }
  }
  return { rooms: [...rooms], arrows: [...arrows] };
}

/** Types count too: two files that need each other's types are one thought in two places. */
export const noCircles: Rule = (files) => {
  const importsOf = new Map(files.map((file) => [file.path, file.imports.flatMap(({ target }) => target ?? [])]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) circles.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const target of importsOf.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of importsOf.keys()) visit(path, []);
  return circles;
};

const IMPURE =
  /\b(?:Date\.now|performance\s*\.|Math\.random|process\s*\.|async\b|await\b|Promise\b|set(?:Timeout|Interval|Immediate)|queueMicrotask)|\bcrypto\s*\.|\bnew\s+Date\s*\(\s*\)|(?<!new\s+)\bDate\s*\(/g;

/** Pricing and money are arithmetic: no package, no module of Node, no clock, no randomness, no promise. */
export const pureRooms: Rule = (files) =>
  inRooms(files, ['pricing', 'money']).flatMap((file) => [
    ...file.imports
      .filter(({ specifier }) => !specifier.startsWith('.'))
      .map(({ specifier, line }) => `${file.path}:${line}: a pure room must not import ${specifier}`),
    ...findAll(file, file.bare, IMPURE, 'a pure room must not use'),
  ]);

const KINDS_HOME = 'src/pricing/benefits/';
const KIND_NAME = new RegExp(`\\b(?:${Object.keys(KINDS).join('|')})\\b`, 'g');
const KIND_QUESTION = /\.kind\b|\bkind\s*[=!]==?|[=!]==?\s*kind\b|\bswitch\s*\(\s*kind\b/g;

/** A trace calls a lowered unit price by a name that a kind has too, whichever kind lowered it. */
const TRACED_WORDS: Readonly<Record<string, string>> = {
  'src/pricing/types.ts': 'unit_price',
  'src/pricing/trace/trace.ts': 'unit_price',
};

/** Pricing knows families of rules: it names no kind, not even in a comment, asks for none, and opens no kind's file. */
export const kindsAtHome: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith('src/') && !path.startsWith(KINDS_HOME))
    .flatMap((file) => [
      ...file.imports
        .filter(({ target }) => target?.startsWith(KINDS_HOME) && target !== `${KINDS_HOME}register.ts`)
        .map(({ target, line }) => `${file.path}:${line}: kinds are asked through the register, not by ${target}`),
      ...(roomOf(file.path) === 'pricing'
        ? [
            ...findAll(file, file.text, KIND_NAME, 'a kind is named only in its own file:', (name) => {
              return name !== TRACED_WORDS[file.path];
            }),
            ...findAll(file, file.bare, KIND_QUESTION, 'what depends on the kind belongs into its file:'),
          ]
        : []),
    ]);

/** The native HTTP server is an implementation detail of one room. */
export const uwsOnlyInGateway: Rule = (files) =>
  files
    .filter((file) => roomOf(file.path) !== 'gateway')
    .flatMap((file) =>
      file.imports
        .filter(({ specifier }) => ['uWebSockets.js', '@uwsjs/core'].includes(packageOf(specifier) ?? ''))
        .map(({ line }) => `${file.path}:${line}: uWebSockets.js is imported only in src/gateway`),
    );

export const environmentOnlyInSettings: Rule = (files) =>
  files
    .filter((file) => file.path !== 'src/settings.ts')
    .flatMap((file) => [
      ...findAll(file, file.bare, /\bprocess\s*\??\.\s*env\b|\bprocess\s*\[/g, 'only src/settings.ts reads'),
      ...findAll(
        file,
        file.code,
        /\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\s*'(?:node:)?process'/g,
        'only src/settings.ts reads',
      ),
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

/** An HTTP status number stands in one catalogue. */
export const statusOnlyInContract: Rule = (files) =>
  files
    .filter((file) => file.path.startsWith('src/') && roomOf(file.path) !== 'contract')
    .flatMap((file) =>
      STATUS_FORMS.flatMap((form) => findAll(file, file.code, form, 'a status belongs to src/contract:')),
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

export const LONGEST_FILE_LINES = 300;

export const filesAreShort: Rule = (files) =>
  files.flatMap((file) => {
    const lines = file.text.trimEnd().split('\n').length;
    return lines <= LONGEST_FILE_LINES ? [] : [`${file.path}: ${lines} lines, ${LONGEST_FILE_LINES} are allowed`];
  });

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
