import type { Mix } from '../load/mix.ts';
import { showNumber } from '../report/spread.ts';
import { measureClosed } from './measure.ts';
import { entrantsOf, inRounds, type Results, withContestants } from './rounds.ts';
import { cleanCpuUs, saturationTable } from './saturation.ts';
import type { ClosedMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const LINES = 200;
const MIX: Mix = { lines: LINES, members: 'many' };

/** First calls per second of measurement; each is replayed several times. */
const FIRST_CALLS_PER_SECOND = 200;
const REPLAYS_PER_FIRST_CALL = 4;

interface Pair {
  readonly first: ClosedMeasurement;
  readonly replay: ClosedMeasurement;
}

/** Compares the cost of first calls and replays: a replay should cost only reading and inflating the answer. */
export const replayScenario: Scenario = {
  name: 'replay-200',
  about: `closed loop, ${LINES} lines: first calls, then the same calls again; CPU of each`,
  run: runReplay,
};

async function runReplay(stage: Stage): Promise<ScenarioReport> {
  const baskets = Math.ceil(FIRST_CALLS_PER_SECOND * stage.options.seconds);
  const mix: Mix = { ...MIX, replayOf: { baskets } };
  const results = await withContestants(stage, entrantsOf(stage, ['service', 'floor', 'fastify']), MIX, (contestants) =>
    inRounds(
      stage,
      contestants,
      async (contestant): Promise<Pair> => {
        const first = await measureClosed(stage, contestant, mix, { amount: baskets });
        // The tape continues after the first calls and repeats them from here on.
        const amount = baskets * REPLAYS_PER_FIRST_CALL;
        const replay = await measureClosed(stage, contestant, mix, { amount, isContinued: true });
        return { first, replay };
      },
      ({ first, replay }) =>
        `first ${showNumber(first.cpu.contestantUs)} µs, replay ${showNumber(replay.cpu.contestantUs)} µs CPU`,
    ),
  );
  const part = (name: keyof Pair): Results<ClosedMeasurement> =>
    new Map([...results].map(([label, rounds]) => [label, rounds.map((round) => round[name])]));
  const service = results.get('service') ?? [];
  return {
    tables: [
      saturationTable(`replay-200: first calls, ${LINES} lines`, part('first')),
      saturationTable(`replay-200: the same calls again`, part('replay')),
    ],
    figures: {
      'replay.cpu.ratio': service.map(({ first, replay }) => cleanCpuUs(replay) / cleanCpuUs(first)),
    },
    pictures: [],
    notes: [],
    raw: Object.fromEntries(results),
  };
}
