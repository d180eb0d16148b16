/** `npx loyalty load` against a running service, and the example with autocannon beside it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { provideBenchPackages } from '../../bench/packages.ts';
import { ROOT } from '../architecture/source.ts';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { quickStart } from '../support/quick-start.ts';
import { runCommand } from '../support/run-command.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';

let service: Service;
let folder: string;
let secretFile: string;

beforeAll(async () => {
  folder = temporaryDirectory();
  service = await Service.start({
    configuration: { ...configurationOf(), rateLimit: { sustained: 5000, burst: 5000 } },
  });
  secretFile = writeFile('secret', service.secrets[0]!);
}, 120_000);
afterAll(cleanUp);

function writeFile(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** A program as a process of its own. */
async function run(file: string, ...args: string[]) {
  const child = spawn(process.execPath, [file, ...args], { cwd: ROOT, env: quickStart(process.env) });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** The arguments of a load of the service. */
function argumentsOf(...args: string[]): string[] {
  const config = join(service.dataDirectory, 'environment.yaml');
  const own = ['--base-url', service.baseUrl, '--secret-file', secretFile, '--config', config];
  return ['load', ...own, '--out', join(folder, 'out'), ...args];
}

const load = (...args: string[]) => runCommand(argumentsOf(...args), {});
const written = (name: string) => readFileSync(join(folder, 'out', name), 'utf8');

/** The number in the row of that name. */
function rowOf(table: string, name: string): number {
  return Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(table)?.[1] ?? 0);
}

/** A deployment that says which environment it is. Any other call has this status, or never an answer. */
async function useDeployment(environment: string, status: number | undefined, use: (baseUrl: string) => Promise<void>) {
  const server = createServer((request, response) => {
    request.on('data', (body) => {
      // The question for the environment has a body that is no basket.
      if (String(body) === '{}')
        response.writeHead(400, { 'Server-Timing': `environment;desc="${environment}"` }).end();
      else if (status !== undefined) response.writeHead(status).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.closeAllConnections();
  server.close();
}

it('sends what the schedule says, each with its sale, and reports every answer', async () => {
  const args = argumentsOf('--rate', '40', '--duration', '3', '--lines', '5', '--sales');
  const { code, stdout, stderr } = await run('packages/tools/src/loyalty.ts', ...args);
  expect({ code, stdout: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, stdout: '' });
  expect(stdout).toContain('(staging): 40 calls per second, 3 s, baskets of 5 lines');
  const statuses = ['200 applied', '200 unchanged', '200 member_not_found'];
  const answered = statuses.reduce((sum, status) => sum + rowOf(stdout, status), 0);
  const refused = rowOf(stdout, '503 unavailable');
  // 120 calls are expected; a schedule of independent calls has some more or fewer.
  expect(answered + refused).toBeGreaterThan(80);
  expect(answered + refused).toBeLessThan(160);
  expect(rowOf(stdout, 'sale 200 recorded') + rowOf(stdout, 'sale 503 unavailable')).toBe(answered);
  expect(stdout).toMatch(/^percentile +caller +service$/m);
  for (const name of ['caller.hgrm', 'service.hgrm']) expect(written(name)).toMatch(/^ +Value +Percentile TotalCount/);
  expect(written('latency.svg')).toMatch(/^<svg [\s\S]*<polyline [\s\S]*<\/svg>\n$/);
});

it("sends one's own baskets for one's own members, as fast as they are answered", async () => {
  const baskets = writeFile('baskets.ndjson', `${JSON.stringify(basketOf())}\n\n`);
  const members = writeFile('ids.txt', 'nobody-1\nnobody-2\n');
  const rate = ['--rate', 'max', '--duration', '1', '--connections', '2'];
  const { stdout } = await load('--baskets', baskets, '--members', members, ...rate);
  expect(stdout).toContain('as fast as it answers');
  expect(rowOf(stdout, '200 member_not_found')).toBeGreaterThan(0);
  expect(rowOf(stdout, '200 applied')).toBe(0);
});

it('counts the calls that a deployment never answers with the time they waited, and says how many they are', async () => {
  await useDeployment('staging', undefined, async (baseUrl) => {
    const { code, stdout } = await load('--base-url', baseUrl, '--rate', '20', '--duration', '1');
    expect(code).toBe(1);
    const lost = rowOf(stdout, 'no answer within 3 s') + rowOf(stdout, 'no answer at the end');
    expect(rowOf(stdout, 'calls')).toBe(lost);
    expect(stdout).toContain(`${lost} of ${lost} basket calls (100.00 %) were given up without an answer`);
    expect(stdout).toMatch(/^slowest +\d{4,} +–$/m);
    expect(written('latency.svg')).toContain(`${lost} calls, the slowest`);
  });
});

it('refuses production without a word for it', async () => {
  await useDeployment('production', 503, async (baseUrl) => {
    const args = ['--base-url', baseUrl, '--rate', '20', '--duration', '1'];
    const stderr = 'load: the deployment is production; add --yes-production to load it\n';
    expect(await load(...args)).toMatchObject({ code: 2, stderr });
    expect((await load(...args, '--yes-production')).stdout).toContain('(production): 20 calls per second');
  });
});

it.each([
  [['--rate', '0'], "option '--rate <n>' argument '0' is invalid. Allowed: a whole number from 1 to 100000."],
  [['--baskets', 'package.json'], '--baskets: package.json:1 is not the body of a basket call'],
  [['--members', 'no-such-file'], '--members: ENOENT'],
  [['--ca', 'package.json'], '--ca: package.json is not a PEM certificate\n'],
  [['--rate', '1', '--out', 'package.json'], 'EEXIST'],
  [
    ['--rate', '1', '--duration', '1', '--seed', '2'],
    'no call was sent; take a longer --duration, or a higher --rate\n',
  ],
])('%s cannot be loaded, and is one line', async (args, message) => {
  expect(await load(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(`load: ${message}`) });
});

it('says that the secret is not the one of the deployment', async () => {
  const wrong = writeFile('wrong', 'ab'.repeat(32));
  const stderr = 'load: the deployment rejects the signature: is this its secret?\n';
  expect(await load('--secret-file', wrong)).toMatchObject({ code: 2, stderr });
  // The log may be later than the answer.
  await until('the refusal in the log', () => service.log.some(({ code }) => code === 'invalid_signature'));
});

it('the example with autocannon runs', async () => {
  await provideBenchPackages();
  const basketFile = writeFile('basket.json', JSON.stringify(basketOf()));
  const before = service.log.length;
  const { code, stdout } = await run('bench/examples/autocannon.ts', service.baseUrl, secretFile, basketFile, '1');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/requests in/)]);
  await until('answers in the log', () => service.log.slice(before).some((line) => line.status === 'applied'));
  // On a machine that stands still a call may be too late; one that is signed wrongly would have another code.
  const codes = service.log.slice(before).flatMap(({ code }) => code ?? []);
  expect(codes.filter((code) => code !== 'unavailable')).toEqual([]);
}, 120_000);
