/** What brings an alert about: causes that are done to a Redis server, to a file and to sales. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { type Benefit, type Member, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { type RedisServer, rewriteFile } from '../support/redis-server.ts';
import type { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';

export interface Cause {
  readonly cause: string;
  readonly bring: () => Promise<unknown>;
  readonly end?: () => Promise<unknown>;
  readonly fires: readonly string[];
}

/** Alerts about weeks, days, disks and targets, which alerts-of-days.long.test.ts brings about. */
export const OF_DAYS = [
  'LoyaltyRestartLoop',
  'LoyaltyTargetAbsent',
  'LoyaltyNoTraffic',
  'LoyaltyEventsUnread',
  'LoyaltyDiskFull',
  'LoyaltyCertificateEnds',
  'LoyaltyCertificateEndsSoon',
] as const;

/** No setting of a Redis is weak before a cause makes it so. */
export const DURABLE = ['--appendfsync', 'always'] as const;

/** Most members are unknown. */
export function unknownMembers(call: (loyaltyId: string) => Promise<unknown>): Cause {
  const bring = async () => {
    for (let count = 0; count < 60; count += 1) await call('nobody');
  };
  return { cause: 'an import was forgotten', bring, fires: ['LoyaltyUnknownMembers'] };
}

/**
 * Alerts whose figures other tests bring about: about a cluster test/cluster/dead-master.test.ts, about the gap of
 * a choice test/e2e/choice-gap.test.ts, about the log test/telemetry/log-watch.test.ts.
 */
export const OF_OTHER_TESTS = ['LoyaltyRedisMasterAway', 'LoyaltyChoiceGap', 'LoyaltyLogLinesLost'] as const;

/** A process has most of its file descriptors open, because it may have fewer. */
function descriptorCause(service: () => Service, victim: () => number): Cause {
  let limit = '';
  return {
    cause: 'file descriptors run out',
    bring: async () => {
      limit ||= limitDescriptors(victim(), '');
      const open = readingOf(await scrape(service()), 'loyalty_file_descriptors_open') ?? 0;
      limitDescriptors(victim(), String(Math.ceil(open / 0.9)));
    },
    end: async () => limitDescriptors(victim(), limit),
    fires: ['LoyaltyFileDescriptors'],
  };
}

/** Sets how many files a process may have open, if a number is given; the hard limit stays. Returns the limit. */
export function limitDescriptors(pid: number, limit: string): string {
  const wanted = limit === '' ? '' : `=${limit}:`;
  const options = ['--pid', String(pid), `--nofile${wanted}`];
  return execFileSync('prlimit', [...options, ...(limit === '' ? ['--output', 'SOFT', '--noheadings'] : [])], {
    encoding: 'utf8',
  }).trim();
}

/** Causes for a service with two processes. */
export function processCauses(service: () => Service): Cause[] {
  const victim = () => service().gateways[0] as number;
  const bothServe = async () => readingOf(await scrape(service()), 'loyalty_processes_serving') === 2;
  const end = () => until('both processes to serve', bothServe, 60_000);
  return [
    descriptorCause(service, victim),
    {
      cause: 'a process ends',
      bring: async () => process.kill(victim(), 'SIGKILL'),
      end,
      fires: ['LoyaltyProcessEnded', 'LoyaltyProcessesMissing'],
    },
    {
      cause: 'a process hangs',
      bring: async () => process.kill(victim(), 'SIGSTOP'),
      end,
      fires: ['LoyaltyProcessHung'],
    },
  ];
}

/** Causes for the Redis of a service that `untilReady` waits for. */
export function redisCauses(redis: () => RedisServer, untilReady: () => Promise<unknown>): Cause[] {
  return [
    {
      cause: 'a Redis is nearly full',
      bring: async () => {
        const used = /used_memory:(\d+)/.exec(await redis().client.info('memory'))?.[1];
        await redis().client.config('SET', 'maxmemory', String(Math.round(Number(used) * 1.1)));
      },
      end: () => redis().client.config('SET', 'maxmemory', '0'),
      fires: ['LoyaltyRedisMemory'],
    },
    {
      cause: 'a Redis cannot rewrite its file',
      bring: async () => {
        const [folder, number] = fileOf(redis(), 'base');
        // The new file takes the old one's place, which a folder refuses.
        mkdirSync(join(folder, `appendonly.aof.${number + 1}.base.rdb`));
        await rewriteFile(redis().client, 'err');
        rmdirSync(join(folder, `appendonly.aof.${number + 1}.base.rdb`));
      },
      end: () => rewriteFile(redis().client),
      fires: ['LoyaltyRedisFileNotRewritten'],
    },
    {
      cause: 'a Redis evicts, does not keep its file and lets the system sync',
      bring: async () => {
        await redis().client.config('SET', 'maxmemory-policy', 'volatile-ttl');
        await redis().client.psetex('evictable', 60_000, 'x');
        await redis().client.config('SET', 'maxmemory', '1');
        await redis()
          .client.set('more', '1')
          .catch(() => undefined);
        await redis().client.config('SET', 'maxmemory', '0');
        await redis().client.config('SET', 'appendfsync', 'everysec');
      },
      end: async () => {
        await redis().client.config('SET', 'maxmemory-policy', 'noeviction');
        await redis().client.config('SET', 'appendfsync', 'always');
        await untilReady();
      },
      fires: ['LoyaltyRedisSettingWrong', 'LoyaltyRedisSettingWeak', 'LoyaltyRedisEvicted'],
    },
    {
      cause: 'a Redis comes back empty',
      bring: () => redis().client.flushall(),
      end: async () => {
        // As the administration does it.
        await redis().client.hset('loyalty:staging:format', 'dataset', 'accepted-by-the-tests-', 'replaces', '*');
        await untilReady();
      },
      fires: ['LoyaltyDataGone'],
    },
    {
      cause: "a Redis' disk is full",
      bring: async () => {
        // With `always`, a server whose file cannot be written ends.
        await redis().client.config('SET', 'appendfsync', 'everysec');
        const [folder, number] = fileOf(redis(), 'incr');
        symlinkSync('/dev/full', join(folder, `appendonly.aof.${number + 1}.incr.aof`));
        await rewriteFile(redis().client);
        await until('a write to be refused', () =>
          redis()
            .client.set('full', '1')
            .then(
              () => false,
              () => true,
            ),
        );
      },
      end: async () => {
        await rewriteFile(redis().client);
        await until('writes to be taken', () =>
          redis()
            .client.set('full', '1')
            .then(
              () => true,
              () => false,
            ),
        );
        await redis().client.config('SET', 'appendfsync', 'always');
        await untilReady();
      },
      fires: ['LoyaltyRedisFileNotWritten', 'LoyaltyRedisRefuses'],
    },
  ];
}

/** The folder of a server's append-only file, and the number of its part of a kind. */
function fileOf({ directory }: RedisServer, kind: 'base' | 'incr'): [folder: string, number: number] {
  const folder = join(directory, 'appendonlydir');
  const numbers = readdirSync(folder).flatMap((name) => /\.(\d+)\.(\w+)\.\w+$/.exec(name)?.slice(1, 3) ?? []);
  return [folder, Math.max(...numbers.flatMap((word, index) => (numbers[index + 1] === kind ? Number(word) : [])))];
}

/** Sells baskets after their holds have ended, one of them after another basket of its guest. */
export async function sellLate(service: Service, late: readonly BasketBody[], winner: BasketBody): Promise<void> {
  const caller = service.newCaller();
  const expired = async () => readingOf(await scrape(service), 'loyalty_events_total', { event: 'hold_expired' }) ?? 0;
  const before = await expired();
  for (const basket of late) await caller.basket(basket);
  await until('the holds to expire', async () => (await expired()) >= before + late.length);
  await caller.basket(winner);
  await caller.sale(saleOf(winner.calculationId));
  for (const { calculationId } of late) {
    expect((await caller.sale(saleOf(calculationId))).json().result).toBe('recorded');
  }
}

/** Writes the configuration and waits until the reload has succeeded or been refused. */
export async function reload(target: Service, text: string): Promise<void> {
  const reloads = async () => readingOf(await scrape(target), 'loyalty_reloads_total') ?? 0;
  const before = await reloads();
  writeFileSync(join(target.dataDirectory, 'environment.yaml'), text);
  await target.kill('SIGHUP');
  await until('the reload', async () => (await reloads()) > before);
}

/** A budget of ten baskets, which a few guests of its own use up. */
const CAMPAIGN: Benefit = {
  ...{ ...TWENTY, benefitId: 'campaign' },
  limit: { quantity: 10, period: 'lifetime', counts: 'baskets', of: 'programme' },
};
const CAMPAIGN_GUESTS = Array.from({ length: 9 }, (_, guest) => memberOf(`campaign-${guest}`, ['campaign']));

/** The benefits and members of the tests with the campaign among them. */
export function withCampaign(members: readonly Member[]) {
  return { moreMembers: [...members, ...CAMPAIGN_GUESTS], programme: { benefits: [TWENTY, SINGLE_USE, CAMPAIGN] } };
}

/** Nine of the ten baskets are sold. */
export function spentCampaign(service: () => Service): Cause {
  const bring = async () => {
    const caller = service().newCaller();
    for (let guest = 0; guest < CAMPAIGN_GUESTS.length; guest += 1) {
      const basket = basketOf([{}], { loyaltyId: `campaign-${guest}`, requestedAt: new Date().toISOString() });
      await caller.basket(basket);
      await caller.sale(saleOf(basket.calculationId));
    }
  };
  return { cause: 'a campaign has used nine tenths of its budget', bring, fires: ['LoyaltyLimitNearlyUsed'] };
}

/** More calls at once than the rate limit allows. */
export function eagerCallers(fleet: () => Service, next: () => BasketBody): Cause {
  const bring = () => {
    const eager = fleet().newCaller();
    return Promise.all(Array.from({ length: 80 }, () => eager.basket(next())));
  };
  return { cause: 'callers send more than the rate limit allows', bring, fires: ['LoyaltyRateLimited'] };
}
