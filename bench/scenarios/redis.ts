import { Contestant } from '../machine/contestant.ts';
import { showNumber } from '../report/spread.ts';
import { measureClosed } from './measure.ts';
import { countTraffic } from './redis-traffic.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX = { lines: 20 };
const FULL = { calls: 200, answers: 50_000 };
const SHORT = { calls: 30, answers: 2000 };
const PRIMING_ANSWERS = 1000;

/** Measures the Redis traffic of a call and the memory that it leaves. */
export const redisScenario: Scenario = {
  name: 'redis',
  about: 'one call at a time, 20 lines: round trips, commands and bytes per call, and memory per stored answer',
  run: runRedis,
};

async function runRedis(stage: Stage): Promise<ScenarioReport> {
  const { calls, answers } = stage.options.isShort ? SHORT : FULL;
  stage.say('counting what single calls ask of Redis');
  const traffic = await countTraffic(calls);
  stage.say('counting the memory of stored answers');
  const memory = await countMemory(stage, answers);
  const kinds = Object.values(traffic);
  const commands = [...new Set(kinds.flatMap((kind) => Object.keys(kind.commands)))].sort();
  return {
    tables: [
      {
        title: 'redis: the median call, 20 lines',
        head: ['', ...Object.keys(traffic)],
        rows: [
          ['round trips', ...kinds.map(({ roundTrips }) => showNumber(roundTrips))],
          ['bytes to Redis', ...kinds.map(({ bytesSent }) => showNumber(bytesSent))],
          ['bytes from Redis', ...kinds.map(({ bytesReceived }) => showNumber(bytesReceived))],
          ['bytes of the answer', ...kinds.map(({ answerBytes }) => showNumber(answerBytes))],
          ...commands.map((command) => [command, ...kinds.map((kind) => showNumber(kind.commands[command] ?? 0))]),
        ],
      },
      {
        title: `redis: memory per stored answer, ${showNumber(answers)} answers of 20 lines`,
        head: ['', 'bytes'],
        rows: [
          ['all, from used_memory', showNumber(memory.perAnswer)],
          ...[...memory.perKey].map(([kind, bytes]) => [`key ${kind}, from MEMORY USAGE`, showNumber(bytes)]),
        ],
      },
    ],
    figures: { 'redis.roundTrips': [traffic.first.roundTrips], 'redis.memory': [memory.perAnswer] },
    note: 'Commands inside of scripts are counted with the others; each script is one evalsha.',
    raw: { traffic, memory: { ...memory, perKey: Object.fromEntries(memory.perKey) } },
  };
}

/** The bytes that Redis allocates for an answer with all its keys, and those of a key of each kind by Redis' own account. */
async function countMemory(stage: Stage, answers: number) {
  const service = await Contestant.start('service');
  try {
    await measureClosed(stage, service, MIX, { amount: PRIMING_ANSWERS });
    const before = await settledMemory(service);
    const { accepted } = await measureClosed(stage, service, MIX, { amount: answers });
    const after = await settledMemory(service);
    return { perAnswer: (after - before) / accepted, perKey: await sampleKeys(service) };
  } finally {
    await service.stop();
  }
}

const LOOKS = 5;
const LOOK_MS = 100;

/**
 * Reads the memory several times and takes the lowest value, without the temporary buffers of connections and of the
 * append-only file.
 */
async function settledMemory({ redis }: Contestant): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    lowest = Math.min(lowest, Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]));
  }
  return lowest;
}

const SAMPLES = 500;
/** A kind with fewer samples has a few keys for all answers together, and no size per answer. */
const LEAST_SAMPLES = 5;

/** Mean bytes of the keys of each kind, which is the word after the environment's prefix. */
async function sampleKeys({ redis }: Contestant): Promise<[kind: string, bytes: number][]> {
  const sizes = new Map<string, number[]>();
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const key = await redis.randomkey();
    if (key === null) continue;
    const kind = key.split(':')[2] ?? key;
    sizes.set(kind, [...(sizes.get(kind) ?? []), (await redis.memory('USAGE', key)) ?? 0]);
  }
  return [...sizes]
    .filter(([, bytes]) => bytes.length >= LEAST_SAMPLES)
    .sort()
    .map(([kind, bytes]) => [kind, bytes.reduce((sum, each) => sum + each, 0) / bytes.length]);
}
