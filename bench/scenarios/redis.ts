import type { Mix } from '../load/mix.ts';
import { Contestant } from '../machine/contestant.ts';
import { showNumber } from '../report/spread.ts';
import { measureClosed } from './measure.ts';
import { countMemory, type StoredSizes } from './redis-memory.ts';
import { countTraffic } from './redis-traffic.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20 };
const CALLS = 200;
const SHORT_CALLS = 30;
const STORED_ANSWERS = 50_000;
const SHORT_STORED_ANSWERS = 2000;
const PRIMING_ANSWERS = 1000;

/** Measures the Redis traffic of a call and the memory that it leaves. */
export const redisScenario: Scenario = {
  name: 'redis',
  about: 'one call at a time, 20 lines: round trips, commands and bytes per call, and memory per stored answer',
  run: runRedis,
};

async function runRedis(stage: Stage): Promise<ScenarioReport> {
  const { isShort } = stage.options;
  stage.say('counting what single calls ask of Redis');
  const traffic = await countTraffic(isShort ? SHORT_CALLS : CALLS);
  stage.say('counting the memory of stored answers');
  const answers = isShort ? SHORT_STORED_ANSWERS : STORED_ANSWERS;
  const memory = await countStoredAnswers(stage, answers);
  const kinds = Object.entries(traffic);
  const commands = [...new Set(kinds.flatMap(([, kind]) => Object.keys(kind.commands)))].sort();
  return {
    tables: [
      {
        title: 'redis: the median call, 20 lines',
        head: ['', ...kinds.map(([name]) => name)],
        rows: [
          ['round trips', ...kinds.map(([, kind]) => showNumber(kind.roundTrips))],
          ['bytes to Redis', ...kinds.map(([, kind]) => showNumber(kind.bytesSent))],
          ['bytes from Redis', ...kinds.map(([, kind]) => showNumber(kind.bytesReceived))],
          ['bytes of the answer', ...kinds.map(([, kind]) => showNumber(kind.answerBytes))],
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
    notes: ['Commands inside of scripts are counted with the others; each script is one evalsha.'],
    raw: { traffic, memory },
  };
}

async function countStoredAnswers(stage: Stage, answers: number): Promise<StoredSizes> {
  const service = await Contestant.start('service');
  try {
    await measureClosed(stage, service, MIX, { amount: PRIMING_ANSWERS });
    return await countMemory(service.redis, async () => {
      const { statuses } = await measureClosed(stage, service, MIX, { amount: answers });
      return statuses['200'] ?? 0;
    });
  } finally {
    await service.stop();
  }
}
