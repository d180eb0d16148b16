/** `npx loyalty load` against a running service, and the example with autocannon beside it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provideBenchPackages } from '../../bench/packages.ts';
import { ROOT } from '../architecture/source.ts';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { quickStart } from '../support/quick-start.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';

const PLENTY = { sustained: 5000, burst: 5000 };

let staging: Service;
let production: Service;
let folder: string;

beforeAll(async () => {
  folder = temporaryDirectory();
  [staging, production] = await Promise.all([
    Service.start({ configuration: { ...configurationOf(), rateLimit: PLENTY } }),
    Service.start({ configuration: { ...configurationOf(), environment: 'production', rateLimit: PLENTY } }),
  ]);
}, 120_000);
afterAll(cleanUp);

async function run(file: string, ...args: string[]) {
  const child = spawn(process.execPath, [file, ...args], { cwd: ROOT, env: quickStart(process.env) });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [status] = await once(child, 'close');
  return { status, stdout, stderr };
}

function load(service: Service, ...args: string[]) {
  const secretFile = join(folder, `${service.pid}.secret`);
  writeFileSync(secretFile, service.secrets[0]!);
  const config = join(service.dataDirectory, 'environment.yaml');
  const out = join(folder, 'out');
  return run(
    'packages/tools/src/loyalty.ts',
    'load',
    ...['--base-url', service.baseUrl, '--secret-file', secretFile],
    ...['--config', config, '--out', out, ...args],
  );
}

/** The number in the row of that name. */
function rowOf(table: string, name: string): number {
  return Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(table)?.[1] ?? 0);
}

describe('npx loyalty load', () => {
  it('sends what the schedule says, each with its sale, and reports every answer', async () => {
    const { status, stdout, stderr } = await load(
      staging,
      '--rate',
      '40',
      '--duration',
      '3',
      '--lines',
      '5',
      '--sales',
    );
    expect({ status, stdout: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, stdout: '' });
    expect(stdout).toContain('(staging): 40 calls per second, 3 s, baskets of 5 lines');
    const answered =
      rowOf(stdout, '200 applied') + rowOf(stdout, '200 unchanged') + rowOf(stdout, '200 member_not_found');
    const refused = rowOf(stdout, '503 unavailable');
    // 120 calls are expected; a schedule of independent calls has some more or fewer.
    expect(answered + refused).toBeGreaterThan(80);
    expect(answered + refused).toBeLessThan(160);
    expect(rowOf(stdout, 'sale 200 recorded') + rowOf(stdout, 'sale 503 unavailable')).toBe(answered);
    expect(stdout).toMatch(/^percentile +caller +service$/m);
  });

  it('writes both distributions and a picture', async () => {
    const { stdout } = await load(staging, '--rate', 'max', '--duration', '1', '--connections', '2');
    expect(stdout).toContain('as fast as it answers');
    const read = (name: string) => readFileSync(join(folder, 'out', name), 'utf8');
    for (const name of ['caller.hgrm', 'service.hgrm']) expect(read(name)).toMatch(/^ +Value +Percentile TotalCount/);
    expect(read('latency.svg')).toMatch(/^<svg [\s\S]*<polyline [\s\S]*<\/svg>\n$/);
  });

  it("sends one's own baskets for one's own members", async () => {
    const own = basketOf();
    const baskets = join(folder, 'baskets.ndjson');
    const members = join(folder, 'ids.txt');
    writeFileSync(baskets, `${JSON.stringify(own)}\n\n`);
    writeFileSync(members, 'nobody-1\nnobody-2\n');
    const args = ['--baskets', baskets, '--members', members, '--rate', '20', '--duration', '1'];
    const { stdout } = await load(staging, ...args);
    expect(rowOf(stdout, '200 member_not_found')).toBeGreaterThan(0);
    expect(rowOf(stdout, '200 applied')).toBe(0);
  });

  it('counts the calls that a deployment never answers with the time they waited, and says how many they are', async () => {
    const silent = createServer((request, response) => {
      // Only the question for the environment is answered: its body is no basket.
      request.on('data', (body) => {
        if (String(body) === '{}') response.writeHead(400, { 'Server-Timing': 'environment;desc="staging"' }).end();
      });
    });
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { status, stdout } = await load(staging, '--base-url', baseUrl, '--rate', '20', '--duration', '1');
    silent.closeAllConnections();
    silent.close();
    expect(status).toBe(1);
    const lost = rowOf(stdout, 'no answer within 3 s') + rowOf(stdout, 'no answer at the end');
    expect(rowOf(stdout, 'calls')).toBe(lost);
    expect(stdout).toContain(`${lost} of ${lost} basket calls (100.00 %) were given up without an answer`);
    expect(stdout).toMatch(/^slowest +\d{4,} +–$/m);
    expect(readFileSync(join(folder, 'out', 'latency.svg'), 'utf8')).toContain(`${lost} calls, the slowest`);
  });

  it('is an error when no call was due', async () => {
    const { status, stderr } = await load(staging, '--rate', '1', '--duration', '1', '--seed', '2');
    expect(status).toBe(2);
    expect(stderr).toContain('load: no call was sent; take a longer --duration, or a higher --rate\n');
  });

  it('refuses production without a word for it', async () => {
    const refused = await load(production, '--rate', '20', '--duration', '1');
    expect(refused.status).toBe(2);
    expect(refused.stderr).toBe('load: the deployment is production; add --yes-production to load it\n');
    const permitted = await load(production, '--rate', '20', '--duration', '1', '--yes-production');
    expect(permitted.stdout).toContain('(production): 20 calls per second');
  });

  it.each([
    [['--rate', '0'], "option '--rate <n>' argument '0' is invalid. Allowed: a whole number from 1 to 100000."],
    [['--baskets', 'package.json'], '--baskets: package.json:1 is not the body of a basket call'],
    [['--members', 'no-such-file'], '--members: ENOENT'],
  ])('names what it cannot use: %s', async (args, message) => {
    const { status, stderr } = await load(staging, ...args);
    expect(status).toBe(2);
    expect(stderr).toContain(`load: ${message}`);
  });

  it('says that the secret is not the one of the deployment', async () => {
    const wrong = join(folder, 'wrong');
    writeFileSync(wrong, 'ab'.repeat(32));
    const { status, stderr } = await load(staging, '--secret-file', wrong);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'load: the deployment rejects the signature: is this its secret?\n',
    });
    // The log may be later than the answer.
    await until('the refusal in the log', () => staging.log.some(({ code }) => code === 'invalid_signature'));
  });
});

it('the example with autocannon runs', async () => {
  await provideBenchPackages();
  const [secretFile, basketFile] = [join(folder, 'secret'), join(folder, 'basket.json')];
  writeFileSync(secretFile, staging.secrets[0]!);
  writeFileSync(basketFile, JSON.stringify(basketOf()));
  const before = staging.log.length;
  const { status, stdout } = await run('bench/examples/autocannon.ts', staging.baseUrl, secretFile, basketFile, '1');
  expect(status).toBe(0);
  expect(stdout).toMatch(/requests in/);
  await until('answers in the log', () => staging.log.slice(before).some((line) => line.status === 'applied'));
  // On a machine that stands still a call may be too late; one that is signed wrongly would have another code.
  const codes = staging.log.slice(before).flatMap(({ code }) => code ?? []);
  expect(codes.filter((code) => code !== 'unavailable')).toEqual([]);
}, 120_000);
