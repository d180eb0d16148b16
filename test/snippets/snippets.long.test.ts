/**
 * The snippets of the documentation, each in the language's own runtime: they sign every vector right, price exactly,
 * sell against the service, and withstand the double. Where a runtime is missing, the test's name says which one.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceDouble } from '../../packages/conformance/src/double/service-double.ts';
import { signingVectors } from '../../packages/conformance/src/vectors/signature.ts';
import { stagingConfiguration } from '../openapi/support.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { useSharedService } from '../support/shared-service.ts';
import { isOffered, RUN_LIMIT_MS, RUNNERS, SNIPPETS } from './runners.ts';

/** Containers and services often run without a locale, and then some compilers read ASCII. */
const PLAIN_ENV = { ...process.env, LC_ALL: 'C' };

/** A machine that stands still makes 500 ms too short, so a sale that should not time out is sold again. */
const MOST_TRIES = 20;

interface Vector {
  readonly name: string;
  readonly secretHex: string;
  readonly secretBase64: string;
  readonly t: number;
  readonly bodyBase64: string;
  readonly header: string;
}

const signing: readonly Vector[] = signingVectors();

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** Runs the program without blocking, because the double answers in this process. */
async function run(
  command: readonly string[],
  secret: string,
  args: readonly string[],
  input = Buffer.alloc(0),
): Promise<Ran> {
  const [program = '', ...first] = command;
  const child = spawn(program, [...first, ...args], {
    env: { ...PLAIN_ENV, LOYALTY_SECRET: secret },
    timeout: RUN_LIMIT_MS,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // A program that refuses its secret ends without reading.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [status] = (await once(child, 'close')) as [number | null];
  return { stdout, stderr, status };
}

const stage = useSharedService(stagingConfiguration());
let double: ServiceDouble;

beforeAll(async () => {
  double = await ServiceDouble.start({ secret: Buffer.from(stage.caller.secret, 'hex') });
});

afterAll(() => double?.close());

/** What a machine that stands still makes of a right sale: it comes too late, or a right service refuses it with 503. */
const EXCUSES = ['(timeout)', '(http_error)', 'send again later'];

/** Sells once, and again while the machine alone may have spoiled it. */
async function sell(command: readonly string[], baseUrl: string, loyaltyId: string, right: string): Promise<Ran> {
  for (let tries = 1; ; tries += 1) {
    const ran = await run(command, stage.caller.secret, ['sell', baseUrl, loyaltyId, '0.345', '1999']);
    const isExcused = EXCUSES.some((words) => ran.stdout.includes(words));
    if (ran.stdout === right || tries === MOST_TRIES || !isExcused) return ran;
  }
}

/** What a sale must come to: 0.345 × 1999 is 690, and 20 % off it 552. */
const AT_THE_SERVICE = {
  'test-member-20': 'basket: applied, to pay 552\nsale event: recorded\n',
  'test-member-none': 'basket: unchanged, to pay 690\nsale event: recorded\n',
  'test-member-unknown': 'basket: member_not_found, to pay 690\nsale event: recorded\n',
};

const UNSOLD = (failureReason: string) => `basket: failed (${failureReason}), to pay 690\nsale event: recorded\n`;
const SOLD = (event: string) => `basket: applied, to pay 552\nsale event: ${event}\n`;

const AT_THE_DOUBLE = {
  hang: UNSOLD('timeout'),
  'slow-bytes': UNSOLD('timeout'),
  cut: UNSOLD('connection_error'),
  'close-after-request': UNSOLD('connection_error'),
  'error-unavailable': UNSOLD('http_error'),
  redirect: UNSOLD('http_error'),
  'malformed-json': UNSOLD('invalid_response'),
  'wrong-calculation-id': UNSOLD('invalid_response'),
  'wrong-totals': UNSOLD('invalid_response'),
  'sale-unavailable': SOLD('send again later (503)'),
  'sale-no-result': SOLD('send again later (200)'),
  'sale-new-result': SOLD('send again later (200)'),
  'sale-captive-portal': SOLD('send again later (200)'),
  'sale-redirect': SOLD('send again later (302)'),
  'sale-rate-limited': SOLD('send again later (429)'),
  'sale-unprocessable': SOLD('stop and tell support (422)'),
  'sale-duplicate': SOLD('duplicate'),
};

/** Nothing was sent, neither of the basket nor of its event. */
const NOTHING_SENT = 'basket: failed (connection_error), to pay 690\nsale event: send again later\n';

/** What the programs of a language take to start, and to wait out a double, on a busy machine. */
const PATIENT = { timeout: 300_000 };

const languages = Object.entries(RUNNERS).map(([language, runner]) => {
  const isHere = isOffered(runner);
  const skipped = isHere ? '' : `; skipped, because its runtime is missing (Debian: ${runner.packages})`;
  return { title: language + skipped, isHere, runner };
});

describe.each(languages)('$title', PATIENT, ({ isHere, runner }) => {
  const check = test.skipIf(!isHere);
  let command: readonly string[] = [];

  beforeAll(() => {
    if (!isHere) return;
    const file = join(SNIPPETS, runner.file);
    const folder = temporaryDirectory();
    if (runner.compile) {
      const [program = '', ...args] = runner.compile(file, folder);
      const { status, stderr } = spawnSync(program, args, { env: PLAIN_ENV, timeout: RUN_LIMIT_MS, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${runner.file} does not compile: ${stderr}`);
    }
    command = runner.command(file, folder);
  }, RUN_LIMIT_MS);

  check('signs every vector right, with the secret as it is handed over', async () => {
    for (const [index, vector] of signing.entries()) {
      const secret = [vector.secretHex, `${vector.secretBase64}\n`, ` ${vector.secretHex.toUpperCase()}\r\n`][
        index % 3
      ] as string;
      const ran = await run(command, secret, ['sign', String(vector.t)], Buffer.from(vector.bodyBase64, 'base64'));
      expect([vector.name, ran.stdout.trim(), ran.stderr]).toEqual([vector.name, vector.header, '']);
    }
  });

  check('refuses a secret that is too short or unreadable, without printing it', async () => {
    const hex = stage.caller.secret;
    for (const secret of [hex.slice(0, 62), `${hex}0`, 'not-a-secret', Buffer.alloc(31, 7).toString('base64'), ' ']) {
      const { status, stdout, stderr } = await run(command, secret, ['sign', '1']);
      expect([status, stdout, stderr.trim()]).toEqual([1, '', 'the secret is not 32 bytes or more in hex or base64']);
    }
  });

  check('prices exactly and rounds half up', async () => {
    const cases = {
      '1.005 100': 101,
      '0.345 1999': 690,
      '0.1 5': 1,
      '2.5 1': 3,
      '0.0001 4999': 0,
      '3 3900': 11_700,
      '1.115 1000': 1115,
    };
    for (const [given, price] of Object.entries(cases)) {
      expect([given, (await run(command, '', ['price', ...given.split(' ')])).stdout]).toEqual([given, `${price}\n`]);
    }
  });

  check('sells against the service', async () => {
    for (const [loyaltyId, right] of Object.entries(AT_THE_SERVICE)) {
      const { stdout, stderr } = await sell(command, stage.service.baseUrl, loyaltyId, right);
      expect([loyaltyId, stdout, stderr]).toEqual([loyaltyId, right, '']);
    }
  });

  check('keeps its basket whatever the double does, and sends each request once', async () => {
    for (const [code, right] of Object.entries(AT_THE_DOUBLE)) {
      const before = double.seen.length;
      const { stdout, stderr } = await sell(command, double.baseUrl, `misbehave-${code}`, right);
      expect([code, stdout, stderr]).toEqual([code, right, '']);
      // With `sell` repeated for a busy machine, the last sale's requests count.
      const { idempotencyKey } = double.seen.at(-1)!;
      const paths = double.seen.slice(before).filter((seen) => seen.idempotencyKey === idempotencyKey);
      expect(paths.map(({ path }) => path)).toEqual(['/v1/pos/basket', '/v1/pos/sale']);
    }
  });

  check('tries once more when nothing was sent, and only once', async () => {
    const nobody = await ServiceDouble.start({ secret: Buffer.from(stage.caller.secret, 'hex') });
    await nobody.close();
    const { stdout, stderr } = await sell(command, nobody.baseUrl, 'member', NOTHING_SENT);
    expect(stdout).toBe(NOTHING_SENT);
    expect(stderr).toBe('connection failed: trying once more\n');
  });

  check('tries once more when the handshake is cut off, and not when nobody signed the certificate', async () => {
    for (const [code, connections] of [
      ['tls-cut-handshake', 3],
      ['tls-untrusted', 2],
    ] as const) {
      double.forget();
      await double.arm(code);
      const { stdout } = await sell(command, double.secureBaseUrl, 'member', NOTHING_SENT);
      expect([code, stdout]).toEqual([code, NOTHING_SENT]);
      // The sale event meets the same row, as the last connection.
      expect(double.record().slice(-connections)).toMatchObject(Array(connections).fill({ code }));
    }
  });
});

const hasHttpYac = spawnSync('httpyac', ['--version'], { timeout: RUN_LIMIT_MS }).status === 0;

const withoutHttpYac = hasHttpYac ? '' : '; skipped, because httpyac is missing (npm install --global httpyac)';

describe.skipIf(!hasHttpYac)(`the .http file${withoutHttpYac}`, () => {
  /** Sends both requests of the file, as the HTTP clients do, and returns the bodies of the answers or what is wrong. */
  function sendAll(secret: string): string[] {
    const folder = temporaryDirectory();
    copyFileSync(join(SNIPPETS, 'loyalty.http'), join(folder, 'loyalty.http'));
    const environment = { staging: { baseUrl: stage.service.baseUrl, secret } };
    writeFileSync(join(folder, 'http-client.private.env.json'), JSON.stringify(environment));
    const args = ['send', 'loyalty.http', '--all', '--env', 'staging', '--json', '--no-color'];
    const { stdout } = spawnSync('httpyac', args, { cwd: folder, timeout: RUN_LIMIT_MS, encoding: 'utf8' });
    expect(stdout).not.toContain(secret.trim());
    const { requests } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
      requests: { response?: { body: unknown }; testResults: { message: string }[] }[];
    };
    return requests.map(({ response, testResults }) => JSON.stringify(response?.body ?? testResults[0]?.message));
  }

  test('signs a basket and its sale, with the secret as it is handed over', PATIENT, () => {
    const bytes = Buffer.from(stage.caller.secret, 'hex');
    for (const secret of [`${bytes.toString('hex')}\n`, ` ${bytes.toString('base64')}`]) {
      const [basket, sale] = sendAll(secret);
      expect(basket).toContain('applied');
      expect(sale).toContain('recorded');
    }
    for (const secret of [bytes.toString('hex').slice(2), bytes.subarray(1).toString('base64')]) {
      expect(sendAll(secret)).toEqual(Array(2).fill('"the secret is not 32 bytes or more in hex or base64"'));
    }
  });
});

test('every snippet is in the table, with its runtime, and in the table of its README', () => {
  const files = readdirSync(SNIPPETS).filter((name) => !/\.(?:md|http)$/.test(name));
  const run = Object.values(RUNNERS).map(({ file }) => file);
  expect(run.sort()).toEqual(files.sort());
  const readme = readFileSync(join(SNIPPETS, 'README.md'), 'utf8');
  for (const file of files) expect(readme).toContain(`(${file})`);
});
