import { join } from 'node:path';
import type { Mix, RequestClass } from '../load/mix.ts';
import { OneByOne } from '../load/one-by-one.ts';
import { Tape } from '../load/tape.ts';
import { Contestant } from '../machine/contestant.ts';
import type { BenchRedis } from '../machine/redis.ts';
import { RoundTripCounter } from '../machine/round-trips.ts';
import { median } from '../report/spread.ts';

/** The Redis traffic of one call of a kind, the median of many. */
export interface CallTraffic {
  readonly roundTrips: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Executions per command, including those inside scripts. */
  readonly commands: Readonly<Record<string, number>>;
  readonly answerBytes: number;
  /** Calls without a 200. */
  readonly failures: number;
}

/** Calls before the count, enough to run every script once: Redis gets a script's whole text at its first call. */
const PRIMING_CALLS = 20;

const NEW: Mix = { lines: 20 };

/**
 * Sends calls one at a time through a counting relay, and reads the counts after each. The median leaves out the
 * service's occasional background work, such as the expiry sweep.
 */
export async function countTraffic(
  calls: number,
): Promise<{ readonly first: CallTraffic; readonly replay: CallTraffic; readonly sale: CallTraffic }> {
  const relays: RoundTripCounter[] = [];
  const service = await Contestant.start('service', {
    redisUrl: async (redis) => {
      const relay = await RoundTripCounter.start(join(redis.socket, '..', 'count.sock'), redis.socket);
      relays.push(relay);
      return `unix:${relay.socket}`;
    },
  });
  const [relay] = relays;
  if (!relay) throw new Error('The relay was not started.');
  try {
    const count = (mix: Mix, amount: number, kind: RequestClass) => countCalls(service, relay, mix, amount, kind);
    await count(NEW, PRIMING_CALLS, 'basket');
    return {
      first: await count(NEW, calls, 'basket'),
      replay: await count({ ...NEW, replayOf: { baskets: calls } }, calls * 2, 'replay'),
      sale: await count({ ...NEW, withSales: true }, calls * 2, 'sale'),
    };
  } finally {
    await service.stop();
    relay.stop();
  }
}

/** Plays `amount` requests of a mix and counts those of one class. */
async function countCalls(
  service: Contestant,
  relay: RoundTripCounter,
  mix: Mix,
  amount: number,
  kind: RequestClass,
): Promise<CallTraffic> {
  // A sale event follows its basket immediately.
  const tape = new Tape(mix, service.secret, 1, 1);
  tape.prepare(amount);
  const caller = await OneByOne.open(service.url, tape);
  const seen: Omit<CallTraffic, 'failures'>[] = [];
  let failures = 0;
  for (let index = 0; index < amount; index += 1) {
    const [before, commandsBefore] = [relay.traffic, await callsOf(service.redis)];
    const answer = await caller.play(index);
    if (answer.status !== 200) failures += 1;
    if (tape.classOf(index) !== kind) continue;
    const [after, commandsAfter] = [relay.traffic, await callsOf(service.redis)];
    seen.push({
      roundTrips: after.roundTrips - before.roundTrips,
      bytesSent: after.bytesSent - before.bytesSent,
      bytesReceived: after.bytesReceived - before.bytesReceived,
      commands: difference(commandsAfter, commandsBefore),
      answerBytes: answer.body?.length ?? 0,
    });
  }
  caller.close();
  return { ...medianOf(seen), failures };
}

/** Reads the command counts, without those of the counting itself and of heartbeats. */
async function callsOf(redis: BenchRedis): Promise<Map<string, number>> {
  const calls = await redis.commandCalls();
  for (const name of ['info', 'ping']) calls.delete(name);
  return calls;
}

function difference(after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...after].map(([name, calls]) => [name, calls - (before.get(name) ?? 0)]));
}

function medianOf(seen: readonly Omit<CallTraffic, 'failures'>[]): Omit<CallTraffic, 'failures'> {
  const names = [...new Set(seen.flatMap(({ commands }) => Object.keys(commands)))].sort();
  const commands = names.map((name) => [name, median(seen.map((one) => one.commands[name] ?? 0))] as const);
  return {
    roundTrips: median(seen.map(({ roundTrips }) => roundTrips)),
    bytesSent: median(seen.map(({ bytesSent }) => bytesSent)),
    bytesReceived: median(seen.map(({ bytesReceived }) => bytesReceived)),
    commands: Object.fromEntries(commands.filter(([, calls]) => calls > 0)),
    answerBytes: median(seen.map(({ answerBytes }) => answerBytes)),
  };
}
