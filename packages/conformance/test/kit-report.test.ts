/** The kit's command line and its reports, as a vendor meets them. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../../test/architecture/source.ts';
import { temporaryDirectory } from '../../../test/support/cleanup.ts';
import { quickStart } from '../../../test/support/quick-start.ts';
import { useSharedService } from '../../../test/support/shared-service.ts';
import { newSecret } from '../../../test/support/signer.ts';
import { until } from '../../../test/support/wait.ts';
import type { Certificate } from '../src/kit/certify.ts';
import { type KitArguments, kitCommandOf, readOptions, UsageError } from '../src/kit/options.ts';
import { renderMarkdown, renderSummary } from '../src/kit/report.ts';
import { runKit as runKitHere } from '../src/kit.ts';

const stage = useSharedService();
const CERTIFICATE: Certificate = {
  baseUrl: 'http://a/',
  venueId: 'v',
  baxId: 'b',
  currency: 'NOK',
  command: 'conformance',
  versions: { interface: '0.1.0-draft', kit: '1.2.3', node: '22.0.0' },
  startedAt: '',
  durationSeconds: 1,
  requests: 1,
  verdict: 'does not conform',
  leftOut: [],
  results: [],
  timings: [],
};

async function runKit(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['packages/tools/src/loyalty.ts', 'conformance', ...args], {
    cwd: ROOT,
    env: quickStart(process.env),
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: Buffer.concat(chunks).toString('utf8') };
}

function right(more: readonly string[]): string[] {
  const venue = ['--venue', 'oslo-central', '--bax', '500123', '--requests-per-second', '5000'];
  const members = ['--member-20', 'member-twenty', '--member-none', 'member-plain', '--member-unknown', 'nobody'];
  return ['--base-url', stage.service.baseUrl, ...venue, ...members, ...more];
}

test('a run that passes ends with 0 and writes both reports, without the secret', async () => {
  const directory = temporaryDirectory();
  const secretFile = join(directory, 'kit-secret');
  writeFileSync(secretFile, `${stage.caller.secret}\n`);
  const [json, markdown] = [join(directory, 'report.json'), join(directory, 'report.md')];
  const only = ['statuses', 'identities', 'sales', 'reservations'].flatMap((name) => ['--only', name]);
  const args = right([...only, '--secret-file', secretFile, '--report', json, '--report', markdown]);
  // A call that a machine at a standstill had refused is no conforming answer to what the kit asks.
  const { code, output } = await until('a run in which every call is served', async () => {
    const run = await runKit(args);
    return !run.output.includes('503 unavailable') && run;
  });
  expect(output).toContain('interface 0.1.0-draft, kit ');
  expect(code, output).toBe(0);
  const report = JSON.parse(readFileSync(json, 'utf8')) as Certificate & { outcomes: Record<string, number> };
  expect(report.outcomes.failed).toBe(0);
  expect(report.requests).toBeGreaterThan(50);
  const page = readFileSync(markdown, 'utf8');
  expect(page).toContain('| `statuses.applied` |');
  // Who reads the certificate sees what judged, and how it was called.
  const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/conformance/package.json'), 'utf8'));
  expect(report.versions).toEqual({ interface: '0.1.0-draft', kit: version, node: process.versions.node });
  expect(page).toContain(`| Kit | loyalty-basket-conformance ${version}, Node ${process.versions.node} |`);
  expect(page).toMatch(/\| Command \| `conformance .*--base-url \S+ .*--only statuses .*` \|/);
  expect(output).toMatch(/: PARTIAL, which certifies nothing\. \d+ passed, 0 failed/);
  expect(output).toContain(`kit ${version}: PARTIAL`);
  expect(output).toMatch(/not asked for by --only: .*schema\.not-json.*timings\.targets/);
  expect(output).toMatch(/not shown: needs --member-limited: reservations\.held, .*released-by-supersession/);
  for (const text of [output, JSON.stringify(report), page]) expect(text).not.toContain(stage.caller.secret);
});

test('a run with another secret ends with 1 and says what it saw', async () => {
  const { code, output } = await runKit(right(['--only', 'statuses.unchanged', '--secret', newSecret()]));
  expect(code).toBe(1);
  expect(output).toContain('expected 200 unchanged, saw 401 invalid_signature');
});

test('where nothing answers there is one line', async () => {
  const { code, output } = await runKit([...right(['--secret', newSecret()]), '--base-url', 'http://127.0.0.1:1']);
  expect(code).toBe(1);
  expect(output).toBe('conformance: nothing answers at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1\n');
});

test('only a run that left nothing out conforms', () => {
  expect(renderSummary({ ...CERTIFICATE, verdict: 'conforms', leftOut: [] })).toMatch(
    /interface \S+, kit 1\.2\.3: conforms\. /,
  );
  const leftOut = [{ name: 'rate-limit.burst', because: 'needs --rate-limit' }];
  const partial = renderMarkdown({ ...CERTIFICATE, verdict: 'partial', leftOut });
  expect(partial).toContain('**partial**');
  expect(partial).toContain('| `rate-limit.burst` | needs --rate-limit |');
});

describe('a command line that cannot be used', () => {
  const PLACE = ['--base-url', 'http://a', '--venue', 'v', '--bax', 'b'];
  const SIGNED = [...PLACE, '--secret', newSecret()];
  const PLACED = { baseUrl: 'http://127.0.0.1:1', venue: 'v', bax: 'b', secret: newSecret() };

  test.each([
    ['--secret or --secret-file is missing', PLACE],
    ['--secret has 2 bytes; at least 32 are due', [...PLACE, '--secret', 'abcd']],
    ['--secret is neither hex nor base64', [...PLACE, '--secret', 'päss']],
    ['--venue is missing', [...SIGNED, '--venue', '']],
    ['--base-url is not an http(s) address: ftp://a', [...SIGNED, '--base-url', 'ftp://a']],
    ['--report takes a .json or .md file: a.pdf', [...SIGNED, '--report', 'a.pdf']],
    ["--report: ENOENT: no such file or directory, open 'no-folder/a.md'", [...SIGNED, '--report', 'no-folder/a.md']],
    ['--requests-per-second is not a whole number from 1 on: 0', [...SIGNED, '--requests-per-second', '0']],
    ['--header is not of the form "name: value" in visible ASCII: x', [...SIGNED, '--header', 'x']],
    ['--header is not of the form "name: value" in visible ASCII: x: ä', [...SIGNED, '--header', 'x: ä']],
    ['--base-url has a user name or a password', [...SIGNED, '--base-url', 'http://till:word@a']],
    ['--base-url has a query or a fragment', [...SIGNED, '--base-url', 'http://a/?venue=1']],
    ['--base-url has the path of an endpoint', [...SIGNED, '--base-url', 'http://a/v1/pos/basket']],
    ['--ca: package.json is not a PEM certificate', [...SIGNED, '--ca', 'package.json']],
    ['--member-20 is missing', [...SIGNED, '--member-20', '']],
    ["unknown option '--sekret'", [...SIGNED, '--sekret', 'x']],
  ])('%s', (message, args) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(message);
  });

  test.each(['nope', ''])('ends with 2 when --only %j names no check, and asks nothing', async (name) => {
    const write: string[] = [];
    const given = { ...kitCommandOf('kit').opts<KitArguments>(), ...PLACED, only: ['statuses', name] };
    expect(await runKitHere(given, (text) => write.push(text), 'Usage')).toBe(2);
    expect(write.join('')).toMatch(
      /^conformance: --only: found ".*", allowed: how the name of a check begins: statuses, numbers, .*timings\n\nUsage$/,
    );
  });

  test('ends with 2 and shows what is allowed', async () => {
    const { code, output } = await runKit([]);
    expect(code).toBe(2);
    expect(output).toContain('conformance: --base-url is missing\n\nUsage: npx loyalty conformance --');
  });
});

test('what a server sends cannot break the report', () => {
  const result = { name: 'a.b', section: '2', title: 'T', outcome: 'failed', seen: ['a | b\nc'] } as const;
  const page = renderMarkdown({ ...CERTIFICATE, results: [result] });
  expect(page).toContain('| `a.b` | T | 2 | **failed** | a \\| b c |');
});
