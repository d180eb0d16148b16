import type { Mix } from '../load/mix.ts';
import { showNumber } from '../report/spread.ts';
import { measureClosed } from './measure.ts';
import { chosenOf, inRounds, type Results, ratios } from './rounds.ts';
import { cleanCpuUs, saturationTable } from './saturation.ts';
import type { ClosedMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const LINES = 20;
/** First calls per second of measurement; each is replayed several times. */
const FIRST_CALLS_PER_SECOND = 2000;
const REPLAYS_PER_FIRST_CALL = 4;

interface Pair {
  readonly first: ClosedMeasurement;
  readonly replay: ClosedMeasurement;
}

/** Compares the cost of first calls and replays: a replay costs parsing and rendering, without pricing. */
export const replayScenario: Scenario = {
  name: 'replay-20',
  about: `closed loop, ${LINES} lines: first calls, then the same calls again; CPU of each`,
  run: runReplay,
};

async function runReplay(stage: Stage): Promise<ScenarioReport> {
  const baskets = FIRST_CALLS_PER_SECOND * stage.options.seconds;
  const mix: Mix = { lines: LINES, replayOf: { baskets } };
  const results = await inRounds(
    stage,
    chosenOf(stage, ['service', 'floor', 'fastify']),
    { lines: LINES },
    async (contestant): Promise<Pair> => {
      const first = await measureClosed(stage, contestant, mix, { amount: baskets });
      // The tape continues after the first calls and repeats them from here on.
      const amount = baskets * REPLAYS_PER_FIRST_CALL;
      const replay = await measureClosed(stage, contestant, mix, { amount, isContinued: true });
      return { first, replay };
    },
    ({ first, replay }) =>
      `first ${showNumber(first.cpu.contestantUs)} µs, replay ${showNumber(replay.cpu.contestantUs)} µs CPU`,
  );
  const part = (name: keyof Pair): Results<ClosedMeasurement> =>
    new Map([...results].map(([label, rounds]) => [label, rounds.map((round) => round[name])]));
  const service = results.get('service') ?? [];
  return {
    tables: [
      saturationTable(`replay-20: first calls, ${LINES} lines`, part('first')),
      saturationTable('replay-20: the same calls again', part('replay')),
    ],
    figures: {
      'replay-20.cpu.ratio': service.map(({ first, replay }) => cleanCpuUs(replay) / cleanCpuUs(first)),
      'replay-20.cpu.service/fastify': ratios(part('replay'), 'service', 'fastify', cleanCpuUs),
    },
    notes: [],
    raw: Object.fromEntries(results),
  };
}
