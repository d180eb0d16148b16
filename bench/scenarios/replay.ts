import { showNumber } from '../report/spread.ts';
import { cleanCpuUs, saturationTable } from './lines.ts';
import { measureClosed } from './measure.ts';
import { disturbedRounds, inRounds, partOf, ratios } from './rounds.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const LINES = 20;
/** First calls per second of measurement; each is replayed several times. */
const FIRST_CALLS_PER_SECOND = 2000;
const REPLAYS_PER_FIRST_CALL = 4;

/** Compares the cost of first calls and replays: a replay costs parsing and rendering, without pricing. */
export const replayScenario: Scenario = {
  name: 'replay-20',
  about: `closed loop, ${LINES} lines: first calls, then the same calls again; CPU of each`,
  run: runReplay,
};

async function runReplay(stage: Stage): Promise<ScenarioReport> {
  const baskets = FIRST_CALLS_PER_SECOND * stage.options.seconds;
  const mix = { lines: LINES, replayOf: { baskets } };
  const results = await inRounds(stage, {
    contestants: ['service', 'floor', 'fastify'],
    mix: { lines: LINES },
    measure: async (contestant) => {
      const first = await measureClosed(stage, contestant, mix, { amount: baskets });
      // The tape continues after the first calls and repeats them from here on.
      const amount = baskets * REPLAYS_PER_FIRST_CALL;
      const replay = await measureClosed(stage, contestant, mix, { amount, isContinued: true });
      return { first, replay };
    },
    show: ({ first, replay }) =>
      `first ${showNumber(cleanCpuUs(first))} µs, replay ${showNumber(cleanCpuUs(replay))} µs CPU`,
  });
  const [firsts, replays] = [partOf(results, ({ first }) => first), partOf(results, ({ replay }) => replay)];
  const service = results.get('service') ?? [];
  return {
    tables: [
      saturationTable(`replay-20: first calls, ${LINES} lines`, firsts),
      saturationTable('replay-20: the same calls again', replays),
    ],
    figures: {
      'replay-20.cpu.ratio': service.map(({ first, replay }) => cleanCpuUs(replay) / cleanCpuUs(first)),
      'replay-20.cpu.service/fastify': ratios(replays, 'service', 'fastify', cleanCpuUs),
    },
    disturbedRounds: disturbedRounds(firsts, replays),
    raw: Object.fromEntries(results),
  };
}
