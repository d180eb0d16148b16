/** Claims of the pages that the code decides: numbers, defaults, settings and commands. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it, test } from 'vitest';
import { createProgram } from '../../packages/tools/src/command-line/program.ts';
import { REDIS_CAUSES } from '../../src/redis/cause.ts';
import { readSettings } from '../../src/settings.ts';
import { ROOT } from './source.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** A page as it is read: without the ends of its lines. */
const pageOf = (path: string): string => read(path).replace(/\s+/g, ' ');

describe('a number on a page is the one of the code', () => {
  /** `#` stands for the number. */
  const claims: readonly (readonly [source: string, constant: string, page: string, claim: string])[] = [
    ['src/calls/price-call.ts', 'EVENT_LOOP_STEPS', 'docs/architecture.md', 'while pricing takes at most # '],
    ['src/calls/price-call.ts', 'EVENT_LOOP_STEPS', 'docs/decisions.md', 'up after # steps'],
    ['src/gateway/public-pages.ts', 'MAX_PAGES_PER_SECOND', 'docs/settings.md', 'more than # pages a second'],
    ['src/gateway/public-pages.ts', 'MAX_UNDER_WAY', 'docs/settings.md', 'or # at a time'],
    ['src/telemetry/log.ts', 'LOG_DAYS', 'docs/settings.md', 'kept for # days'],
    ['packages/contract/src/limits.ts', 'MAX_LINES', 'docs/interface.md', 'more than # lines'],
    ['packages/contract/src/limits.ts', 'CLOCK_WINDOW_SECONDS', 'docs/interface.md', 'within ±# seconds'],
    ['packages/contract/src/limits.ts', 'MIN_SECRET_BYTES', 'docs/settings.md', 'at least # bytes each'],
  ];

  test.each(claims)('%s %s in %s: %s', (source, constant, page, claim) => {
    const number = new RegExp(`const ${constant} = ([\\d_]+);`).exec(read(source))?.[1]?.replaceAll('_', '');
    expect(number, `a number in ${source}`).toBeDefined();
    // The page itself would be too long a message.
    expect(pageOf(page).includes(claim.replace('#', number!)), `${page} says ${number}`).toBe(true);
  });
});

describe('docs/settings.md', () => {
  const rows = [...read('docs/settings.md').matchAll(/^\| (`[^|]*) \| ([^|]*) \|/gm)].map(([, names, defaults]) => ({
    names: names!.split(', ').map((name) => name.replaceAll('`', '')),
    defaults: defaults!,
  }));

  it('has every variable that the settings read, and no other', () => {
    const sources = ['src/settings.ts', ...globSync('src/settings/*.ts', { cwd: ROOT })].map(read).join('\n');
    const variables = new Set(
      [...sources.matchAll(/\benv\['([A-Z_]+)'\]|\(env, '([A-Z_]+)'/g)].map(
        ([, member, argument]) => member ?? argument,
      ),
    );
    // What the primary gives its gateways and what every program has is no setting.
    for (const own of ['LOYALTY_GATEWAY', 'LOYALTY_LEASE', 'PATH']) variables.delete(own);
    expect(rows.flatMap(({ names }) => names).toSorted()).toEqual([...variables].toSorted());
  });

  it('names the defaults of the code', () => {
    const settings = readSettings({}, 8);
    const recording = readSettings({ RECORD_FILE: join(ROOT, 'baskets.ndjson') }).recording;
    const found: Readonly<Record<string, readonly unknown[]>> = {
      HOST: [settings.host, settings.port],
      OPS_HOST: [settings.opsHost, settings.opsPort],
      LOYALTY_CONFIG: [settings.environmentFile.slice(ROOT.length).replace(/^\//, '')],
      LOG_LEVEL: [settings.logLevel],
      DATA_DIR: [settings.dataDir.slice(ROOT.length).replace(/^\//, '')],
      RECORD_FILE: [recording?.sample],
      WORKERS: [settings.inlineBytes],
    };
    for (const [name, values] of Object.entries(found)) {
      const row = rows.find(({ names }) => names[0] === name);
      for (const value of values) expect(row?.defaults, name).toContain(String(value));
    }
    expect(rows.find(({ names }) => names[0] === 'PROCESSES')?.defaults).toBe('one per two cores');
  });
});

describe('commands', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...globSync(['docs/*.md', 'deploy/**/*.md', 'src/**/*.md', 'config/*.md'], { cwd: ROOT }),
  ];
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const pathsBelow = (command: Command, path = ''): string[] =>
    command.commands.flatMap((below) => [`${path}${below.name()}`, ...pathsBelow(below, `${path}${below.name()} `)]);
  const known = new Set(pathsBelow(createProgram()));

  it('with `npm run` on a page are in package.json', () => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/\bnpm run ([a-z][a-z:-]*[a-z])/g)].map(([, name]) => `${page}: ${name}`),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((entry) => !Object.hasOwn(scripts, entry.split(': ')[1]!))).toEqual([]);
  });

  it('with `npx loyalty` on a page exist', () => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/\bnpx loyalty ([a-z][a-z-]+)(?: ([a-z][a-z-]+))?/g)].map(([, first, second]) => ({
        page,
        first: first!,
        second,
      })),
    );
    expect(named.length).toBeGreaterThan(5);
    const hasOwnCommands = (name: string) => [...known].some((path) => path.startsWith(`${name} `));
    const wrong = named.filter(
      ({ first, second }) =>
        !known.has(first) || (second !== undefined && hasOwnCommands(first) && !known.has(`${first} ${second}`)),
    );
    expect(wrong).toEqual([]);
  });

  it('of the table in the README exist', () => {
    const rows = [...read('README.md').matchAll(/^\| (`[^|]+) \| (`[^|]*|) ?\| [a-z]/gm)];
    // The first one is the head.
    const table = rows.slice(1);
    expect(table.length).toBeGreaterThan(8);
    for (const [, commands, script] of table) {
      const names = commands!.split(', ').map((name) => name.replaceAll('`', ''));
      const [group] = names[0]!.split(' ');
      for (const name of names)
        expect([...known], name).toContain(name.includes(' ') || known.has(name) ? name : `${group} ${name}`);
      const [name] = script!.replaceAll('`', '').split(' ');
      if (name) expect(Object.keys(scripts)).toContain(name);
    }
  });
});

it('the runbook has a row for every cause of an unusable Redis', () => {
  const causes = [...read('deploy/prometheus/runbook.md').matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell]) => cell!);
  const named = causes.flatMap((cell) => cell.split(', ').map((name) => name.replaceAll('`', '')));
  expect(named.toSorted()).toEqual([...REDIS_CAUSES].toSorted());
});
