/** systemd learns that the service has started, and that it answers: datagrams on a real socket, as systemd has one. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSettings } from '../../src/settings.ts';
import { cleanUp, forgetProcess, temporaryDirectory, watchProcess } from '../support/cleanup.ts';
import { childrenOf } from '../support/processes.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';

const hasProgram = (name: string) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
const WATCHDOG_MS = 900;
/** Prints every datagram as a line. Node cannot listen on such a socket. */
const LISTENER = `
  use Socket; $| = 1;
  socket(SOCKET, AF_UNIX, SOCK_DGRAM, 0) and bind(SOCKET, sockaddr_un($ARGV[0])) or die $!;
  print "bound\\n";
  while (defined recv(SOCKET, $datagram, 4096, 0)) { print "$datagram\\n" }`;

const listener = { path: '', received: [] as string[], end: async () => {} };
const signsOfLife = () => listener.received.filter((line) => line === 'WATCHDOG=1').length;

describe.skipIf(!hasProgram('systemd-notify') || !hasProgram('perl'))('systemd', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.launch();
    listener.path = join(temporaryDirectory(), 'notify');
    const child = spawn('perl', ['-e', LISTENER, listener.path], { stdio: ['ignore', 'pipe', 'inherit'] });
    watchProcess(child.pid as number);
    createInterface({ input: child.stdout }).on('line', (line) => listener.received.push(line));
    listener.end = async () => {
      if (child.exitCode === null) {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }
      forgetProcess(child.pid as number);
    };
    await until('the listener', () => listener.received.includes('bound'));
  });
  afterAll(async () => {
    await listener.end();
    await redis?.stop();
    cleanUp();
  });

  const start = (processes: number) => {
    listener.received.length = 0;
    const systemd = { NOTIFY_SOCKET: listener.path, WATCHDOG_USEC: String(WATCHDOG_MS * 1000) };
    return Service.start({ redisUrl: redis.url, env: { PROCESSES: String(processes), ...systemd } });
  };

  test('a single process reports its start, lives without Redis, and is silent when it stands still', async () => {
    const service = await start(1);
    await until('the report of the start', () => listener.received.includes('READY=1'));
    await until('signs of life', () => signsOfLife() >= 3);
    await redis.kill();
    await until('readiness to be red', async () => (await service.readiness()) === 503);
    const before = signsOfLife();
    await until('signs of life without Redis', () => signsOfLife() >= before + 3);
    await redis.start();

    await service.kill('SIGSTOP');
    const stopped = signsOfLife();
    await sleep(2 * WATCHDOG_MS);
    // One may have been on its way.
    expect(signsOfLife() - stopped).toBeLessThanOrEqual(1);
    await service.kill('SIGCONT');
    await until('signs of life again', () => signsOfLife() >= stopped + 3);
    await service.stop();
    expect(listener.received.filter((line) => line === 'READY=1')).toHaveLength(1);
  });

  test('the primary gives no sign of life while none of its gateways reports', async () => {
    const service = await start(2);
    await until('signs of life', () => signsOfLife() >= 3);
    expect(listener.received.filter((line) => line === 'READY=1')).toHaveLength(1);
    const serving = servingProcesses(service);
    expect(serving).toHaveLength(2);

    process.kill(serving[0] as number, 'SIGSTOP');
    const silent = () => service.log.filter(({ msg }) => msg === 'process does not report').length;
    await until('the first to be silent', () => silent() === 1);
    const before = signsOfLife();
    await until('signs of life by the other', () => signsOfLife() >= before + 2);
    process.kill(serving[1] as number, 'SIGSTOP');
    await until('the second to be silent', () => silent() === 2);
    const stopped = signsOfLife();
    await sleep(2 * WATCHDOG_MS);
    expect(signsOfLife() - stopped).toBeLessThanOrEqual(1);
    for (const pid of serving) process.kill(pid, 'SIGCONT');
    await until('signs of life again', () => signsOfLife() >= stopped + 3);
    await service.stop();
  });

  test('a socket that nobody listens on is reported once, and stops nothing', async () => {
    const env = { NOTIFY_SOCKET: join(temporaryDirectory(), 'nobody'), WATCHDOG_USEC: '300000' };
    const service = await Service.start({ redisUrl: redis.url, env });
    const lines = () => service.log.filter(({ msg }) => msg === 'systemd cannot be notified');
    await until('the line', () => lines().length > 0);
    await sleep(500);
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toMatchObject({ level: 'warn', reason: expect.stringMatching(/notify/) });
    expect((await service.stop()).code).toBe(0);
  });
});

test('a watchdog is fed only by the process that it is for', () => {
  const DATA_DIR = temporaryDirectory();
  const systemd = { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '30000000' };
  expect(readSettings({ DATA_DIR }).systemd).toBeUndefined();
  expect(readSettings({ DATA_DIR, ...systemd }).systemd).toEqual({ socket: '/run/notify', watchdogMs: 30_000 });
  const other = { ...systemd, WATCHDOG_PID: String(process.pid + 1) };
  expect(readSettings({ DATA_DIR, ...other }).systemd).toEqual({ socket: '/run/notify', watchdogMs: undefined });
  cleanUp();
});

/** The service processes among a primary's children; the shell that sends the datagrams is a child as well. */
function servingProcesses(service: Service): number[] {
  return childrenOf(service.pid).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.ts'));
}
