import { join } from 'node:path';
import type { Mix } from '../load/mix.ts';
import { Contestant } from '../machine/contestant.ts';
import { RoundTripCounter, type Traffic } from '../machine/round-trips.ts';
import { showNumber } from '../report/spread.ts';
import { measureClosed } from './measure.ts';
import { countMemory, type StoredSizes } from './redis-memory.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const FIRST: Mix = { lines: 20, members: 'many' };
const CALLS = 200;
/** Enough for a first run of every script, whose text is sent whole when Redis does not know it yet. */
const PRIMING_CALLS = 20;
const STORED_ANSWERS = 20_000;
const SHORT_STORED_ANSWERS = 2000;

/** What a call asks of Redis and leaves there. */
export const redisScenario: Scenario = {
  name: 'redis',
  about: 'one call at a time, 20 lines: round trips, commands and bytes per call, and memory per stored answer',
  run: runRedis,
};

/** Round trips, bytes and commands of one kind of call. */
export interface CallTraffic extends Traffic {
  readonly commands: Readonly<Record<string, number>>;
  readonly statuses: Readonly<Record<string, number>>;
}

async function runRedis(stage: Stage): Promise<ScenarioReport> {
  const traffic = await countTraffic(stage, CALLS);
  stage.say('counting the memory of stored answers');
  const answers = stage.options.isShort ? SHORT_STORED_ANSWERS : STORED_ANSWERS;
  const memory = await countStoredAnswers(stage, answers);
  const kinds = Object.entries(traffic);
  const commands = [...new Set(kinds.flatMap(([, kind]) => Object.keys(kind.commands)))].sort();
  return {
    tables: [
      {
        title: 'redis: per call, 20 lines',
        head: ['', ...kinds.map(([name]) => name)],
        rows: [
          ['round trips', ...kinds.map(([, kind]) => showNumber(kind.roundTrips))],
          ['bytes to Redis', ...kinds.map(([, kind]) => showNumber(kind.bytesSent))],
          ['bytes from Redis', ...kinds.map(([, kind]) => showNumber(kind.bytesReceived))],
          ...commands.map((command) => [command, ...kinds.map(([, kind]) => showNumber(kind.commands[command] ?? 0))]),
        ],
      },
      {
        title: `redis: memory per stored answer, ${showNumber(answers)} answers of 20 lines`,
        head: ['', 'bytes'],
        rows: [
          ['all, from used_memory', showNumber(memory.perAnswer)],
          ...Object.entries(memory.perKey).map(([kind, bytes]) => [
            `key ${kind}, from MEMORY USAGE`,
            showNumber(bytes),
          ]),
        ],
      },
    ],
    figures: { 'redis.roundTrips': [traffic.first.roundTrips], 'redis.memory': [memory.perAnswer] },
    pictures: [],
    notes: ['Commands inside of scripts are counted with the others; each script is one evalsha.'],
    raw: { traffic, memory },
  };
}

/** Sends calls one after the other through a relay that counts. Everything is per call. */
export async function countTraffic(
  { generator }: Pick<Stage, 'generator'>,
  calls: number,
): Promise<{ first: CallTraffic; replay: CallTraffic; sale: CallTraffic }> {
  let counter: RoundTripCounter | undefined;
  const service = await Contestant.start('service', {
    redisUrl: async (redis) => {
      counter = await RoundTripCounter.start(join(redis.socket, '..', 'count.sock'), redis.socket);
      return `unix:${counter.socket}`;
    },
  });
  const relay = counter as RoundTripCounter | undefined;
  if (!relay) throw new Error('The relay was not started.');
  try {
    const count = async (amount: number): Promise<CallTraffic> => {
      const [before, commandsBefore] = [relay.traffic, await service.redis.commandCalls()];
      const { statuses } = await generator.runClosed({ url: service.url, connections: 1, seconds: 60, amount });
      const [after, commandsAfter] = [relay.traffic, await service.redis.commandCalls()];
      const names = [...commandsAfter.keys()].filter((name) => name !== 'ping' && !name.startsWith('info'));
      const differences = names.map(
        (name) => [name, ((commandsAfter.get(name) ?? 0) - (commandsBefore.get(name) ?? 0)) / amount] as const,
      );
      return {
        roundTrips: (after.roundTrips - before.roundTrips) / amount,
        bytesSent: (after.bytesSent - before.bytesSent) / amount,
        bytesReceived: (after.bytesReceived - before.bytesReceived) / amount,
        commands: Object.fromEntries(differences.filter(([, perCall]) => perCall > 0)),
        statuses,
      };
    };
    await generator.prepare(FIRST, service.secret, 1, PRIMING_CALLS);
    await count(PRIMING_CALLS);
    await generator.prepare({ ...FIRST, replayOf: { baskets: calls } }, service.secret, 2, calls * 2);
    const first = await count(calls);
    const replay = await count(calls);
    // The distance makes the first half baskets and the second half, in turn, a basket and an earlier one's sale.
    await generator.prepare({ ...FIRST, withSales: true }, service.secret, 3, calls * 3, calls);
    await count(calls);
    const mixed = await count(calls * 2);
    return { first, replay, sale: difference(mixed, first) };
  } finally {
    await service.stop();
    relay.stop();
  }
}

/** Of a run that was half first calls and half sale events, the sale events' part. */
function difference(mixed: CallTraffic, first: CallTraffic): CallTraffic {
  const part = (both: number, one: number): number => Math.max(0, 2 * both - one);
  const names = Object.keys({ ...mixed.commands, ...first.commands });
  const commands = names.map((name) => [name, part(mixed.commands[name] ?? 0, first.commands[name] ?? 0)] as const);
  return {
    roundTrips: part(mixed.roundTrips, first.roundTrips),
    bytesSent: part(mixed.bytesSent, first.bytesSent),
    bytesReceived: part(mixed.bytesReceived, first.bytesReceived),
    commands: Object.fromEntries(commands.filter(([, perCall]) => perCall > 0.001)),
    statuses: mixed.statuses,
  };
}

async function countStoredAnswers(stage: Stage, answers: number): Promise<StoredSizes> {
  const service = await Contestant.start('service');
  try {
    await measureClosed(stage, service, FIRST, { amount: PRIMING_CALLS * stage.options.connections });
    return await countMemory(service.redis, async () => {
      const { statuses } = await measureClosed(stage, service, FIRST, { amount: answers });
      return statuses['200'] ?? 0;
    });
  } finally {
    await service.stop();
  }
}
