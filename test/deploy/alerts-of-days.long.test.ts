/**
 * The alerts about what takes days: tills that have gone silent, a certificate that ends, a disk that fills, a Prometheus
 * without targets. Real parts bring each about, with the rules as in alerts.long.test.ts; there a week is as long as a window.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { basketOf } from '../support/baskets.ts';
import { patiently } from '../support/caller.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { findPrometheus, PrometheusServer } from '../support/prometheus.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { OF_DAYS } from './causes.ts';
import { prometheusConfiguration, shortened } from './quick-prometheus.ts';

const programs = findPrometheus();
const DISK_BYTES = 4 * 1024 * 1024;
/** Of last week, while this week has none. */
const CALLS = 130;

/** Longer than two windows. */
const PATIENCE_MS = 25_000;
const MOST_ATTEMPTS = 4;

describe.skipIf(programs === undefined)('alerts of days', () => {
  const disk = temporaryDirectory();
  let isDiskSmall = false;
  let redis: RedisServer;
  let service: Service;
  let prometheus: PrometheusServer;
  const shown: string[] = [];

  beforeAll(async () => {
    isDiskSmall = mountSmallDisk(disk);
    if (!isDiskSmall) console.warn('Only root can mount a small disk: the alert of a full disk is LEFT OUT.');
    redis = await RedisServer.launch();
    service = await start(10);
    prometheus = await PrometheusServer.start(programs as string, {
      'prometheus.yml': prometheusConfiguration([targetOf(service)]),
      'alerts.yml': shortened(readFileSync(join(ROOT, 'deploy/prometheus/alerts.yml'), 'utf8')),
    });
    await until('Prometheus to have seen it', async () => (await prometheus.query('up == 1')).length === 1);
  });
  afterAll(async () => {
    try {
      await prometheus?.stop();
      if (service?.isAlive) await service.stop();
      await redis?.stop();
    } finally {
      if (isDiskSmall) unmount(disk);
      cleanUp();
    }
  });

  /** A service whose certificate ends in so many days, on the small disk if there is one. */
  function start(days: number, opsPort = '0'): Promise<Service> {
    const [certFile, keyFile] = issueCertificate(days);
    return Service.start({
      redisUrl: redis.url,
      dataDirectory: disk,
      ca: readFileSync(certFile, 'utf8'),
      env: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, OPS_PORT: opsPort },
    });
  }

  const fires = async (alert: (typeof OF_DAYS)[number]) => (await prometheus.firing()).has(alert);

  /** The alert is silent before its cause, and fires after it; what a busy machine stretches too far happens again. */
  async function provoke(alert: (typeof OF_DAYS)[number], bring: () => unknown): Promise<void> {
    expect(await fires(alert)).toBe(false);
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      await bring();
      if (!(await until(alert, () => fires(alert), PATIENCE_MS).catch(() => false))) continue;
      shown.push(alert);
      return;
    }
    throw new Error(`${alert} has not fired`);
  }

  test('a warehouse has not read events for four days of seven', async () => {
    await provoke('LoyaltyEventsUnread', async () => {
      const key = 'loyalty:staging:events:0';
      await redis.client.xgroup('CREATE', key, 'warehouse', '0', 'MKSTREAM').catch(() => undefined);
      await redis.client.xadd(key, `${Date.now() - 4 * 86_400_000}-*`, 'result', 'recorded').catch(() => undefined);
    });
  });

  test('a certificate ends within three weeks, and then within three days', async () => {
    // It did so from the start; a service whose certificate lasts is every other test's.
    await until('the alert', () => fires('LoyaltyCertificateEnds'));
    shown.push('LoyaltyCertificateEnds');
    await provoke('LoyaltyCertificateEndsSoon', async () => {
      await service.stop();
      service = await start(2);
      prometheus.reconfigure(prometheusConfiguration([targetOf(service)]));
    });
  });

  test('a single process ends again and again', async () => {
    const opsPort = new URL(service.opsUrl).port;
    await provoke('LoyaltyRestartLoop', async () => {
      for (let restart = 1; restart <= 3; restart += 1) {
        const [before] = await prometheus.query('process_start_time_seconds');
        await service.kill('SIGKILL');
        service = await start(2, opsPort);
        await until('the start to be scraped', async () => {
          const [now] = await prometheus.query('process_start_time_seconds');
          return now !== undefined && now.value !== before?.value;
        });
      }
    });
  });

  test('a disk is full', async ({ skip }) => {
    skip(!isDiskSmall, 'only root can mount a small disk');
    await until('the disk to be measured', async () => (await prometheus.query('loyalty_disk_size_bytes')).length > 0);
    await provoke('LoyaltyDiskFull', () => {
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(join(disk, 'ballast'), Buffer.alloc(bavail * bsize - DISK_BYTES / 20));
    });
  });

  test('tills that asked last week ask no more', async () => {
    await provoke('LoyaltyNoTraffic', async () => {
      const caller = service.newCaller();
      for (let call = 0; call < CALLS; call += 1) await patiently(() => caller.basket(basketOf()));
    });
    // Each call counts again, whatever it is answered.
    await service.newCaller().basket(basketOf());
    await until('the alert to end', async () => !(await fires('LoyaltyNoTraffic')));
  });

  test('a Prometheus has no target left', async () => {
    await provoke('LoyaltyTargetAbsent', () => prometheus.reconfigure(prometheusConfiguration([])));
  });

  test('each was shown', () => {
    const expected = OF_DAYS.filter((alert) => isDiskSmall || alert !== 'LoyaltyDiskFull');
    expect(shown.toSorted()).toEqual([...expected].sort());
  });
});

function targetOf({ opsUrl }: Service): string {
  return new URL(opsUrl).host;
}

function issueCertificate(days: number): [certFile: string, keyFile: string] {
  const directory = temporaryDirectory();
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  execFileSync('openssl', ['req', '-x509', '-days', String(days), ...key, ...subject, '-out', certFile], {
    stdio: 'ignore',
  });
  return [certFile, keyFile];
}

/** Mounts a disk of a few megabytes, which ends with the test's process. Returns false where that is not permitted. */
function mountSmallDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  process.prependListener('exit', () => unmount(folder));
  return true;
}

function unmount(folder: string): void {
  try {
    execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
  } catch {
    // It is unmounted already.
  }
}
