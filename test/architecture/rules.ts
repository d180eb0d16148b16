import { lineAt, packageOf, type SourceFile } from './source.ts';

/**
 * The rooms of src/, each with the rooms below it that it may import, and those of which it may use the types only.
 * The files beside the rooms are the composition root, which may import every room and which no room may import;
 * `settings` alone is looked at like a room. `workers` are the thread entries outside src/.
 */
interface Room {
  readonly imports: readonly string[];
  /** Rooms or files of src/ that may be named by `import type` only. */
  readonly types?: readonly string[];
}

export const ROOMS: Readonly<Record<string, Room>> = {
  settings: { imports: ['contract', 'store'] },
  contract: { imports: [] },
  money: { imports: ['contract'] },
  basket: { imports: ['contract', 'money'] },
  pricing: { imports: ['contract', 'money', 'basket'] },
  programme: { imports: ['contract', 'money', 'pricing'] },
  telemetry: { imports: ['contract'], types: ['settings'] },
  store: { imports: ['contract', 'telemetry'] },
  ndjson: { imports: [] },
  backtest: {
    imports: ['ndjson', 'recording', 'programme', 'pricing', 'basket', 'contract', 'workers'],
  },
  members: { imports: ['ndjson', 'programme', 'store', 'contract'] },
  reconciliation: { imports: ['contract'], types: ['store'] },
  recording: { imports: ['contract', 'pricing'] },
  // The few messages that cross threads belong to the pool; the use cases that run in a thread speak them.
  worker: {
    imports: ['basket', 'pricing', 'programme', 'recording', 'store', 'telemetry', 'contract', 'money'],
    types: ['pool/messages.ts'],
  },
  pool: { imports: ['contract', 'telemetry', 'workers'], types: ['store/redis-address.ts', 'recording/record.ts'] },
  gateway: { imports: ['pool', 'store', 'telemetry', 'contract'], types: ['settings'] },
  openapi: { imports: ['contract'] },
  ops: {
    imports: ['openapi', 'worker', 'pool', 'store', 'programme', 'pricing', 'basket', 'telemetry', 'contract', 'money'],
    types: ['settings'],
  },
  client: { imports: ['contract', 'money', 'basket'] },
  // A shop full of tills, played with the client: for the demo, the fault tests and the benchmark.
  simulator: { imports: ['client', 'contract', 'money'] },
  // The double answers and may use the service's reading and arithmetic; the kit judges, and a test of its own keeps it
  // from that.
  conformance: { imports: ['contract', 'money', 'basket'] },
  cli: {
    imports: [
      'client',
      'simulator',
      'conformance',
      'settings',
      'reconciliation',
      'members',
      'backtest',
      'ndjson',
      'store',
      'programme',
      'pricing',
      'basket',
      'telemetry',
      'contract',
      'money',
    ],
  },
};

export type Rule = (files: readonly SourceFile[]) => string[];

/** `src/calls/messages.ts` → `pool`; `src/main.ts` → `main`; `workers/pricing.ts` → `workers`; elsewhere undefined. */
function roomOf(path: string): string | undefined {
  return /^(?:src\/)?(?:(?<=src\/)([^/]+?)(?:\.ts)?|(workers))(?:\/|$)/.exec(path)?.slice(1).find(Boolean);
}

/** True for a file that stands beside the rooms and is not looked at like one. */
function isCompositionRoot(path: string): boolean {
  return /^src\/[^/]+\.ts$/.test(path) && ROOMS[roomOf(path)!] === undefined;
}

function inRooms(files: readonly SourceFile[], rooms: readonly string[]): SourceFile[] {
  return files.filter((file) => rooms.includes(roomOf(file.path) ?? ''));
}

/** A room imports only rooms below it, and every room is in the table. */
export const importDirection: Rule = (files) =>
  files
    .filter((file) => file.path.startsWith('src/') && !isCompositionRoot(file.path))
    .flatMap((file) => {
      const name = roomOf(file.path)!;
      const room = ROOMS[name];
      if (room === undefined) return [`${file.path}: ${name} is no room of the table in test/architecture/rules.ts`];
      return file.imports.flatMap(({ target, typeOnly, line }) => {
        if (target === undefined) return [];
        const other = roomOf(target);
        if (other === name) return [];
        if (other === undefined) return [`${file.path}:${line}: src imports ${target}, which is outside src`];
        const asType =
          typeOnly && (room.types ?? []).some((allowed) => [other, target.slice('src/'.length)].includes(allowed));
        return room.imports.includes(other) || asType
          ? []
          : [`${file.path}:${line}: ${name} must not import ${target}`];
      });
    });

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

/** The client can be lifted out of the repository with contract, money and basket. */
export const clientStandsAlone: Rule = (files) =>
  inRooms(files, ['client']).flatMap((file) =>
    file.imports
      .filter(({ target }) => ['store', 'pool', 'gateway'].includes(roomOf(target ?? '') ?? ''))
      .map(({ target, line }) => `${file.path}:${line}: the client must not import ${target}`),
  );

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
  // A status handed to whatever answers: reply(404, …), writeStatus(404).
  /\b(?:reply|answer|refuse|respond|writeStatus|writeHead|sendStatus|status)\w*\(\s*[1-5]\d\d\b(?!_)/g,
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
