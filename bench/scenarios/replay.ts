import type { Mix } from '../load/mix.ts';
import { showNumber } from '../report/spread.ts';
import { measureClosed } from './measure.ts';
import { entrantsOf, inRounds, type Results, ratios } from './rounds.ts';
import { cleanCpuUs, saturationTable } from './saturation.ts';
import type { ClosedMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

/** First calls per second of measurement, times their lines; each is replayed several times. */
const FIRST_LINES_PER_SECOND = 40_000;
const REPLAYS_PER_FIRST_CALL = 4;

interface Pair {
  readonly first: ClosedMeasurement;
  readonly replay: ClosedMeasurement;
}

/** Compares the cost of first calls and replays: a replay costs parsing and rendering, without judging and pricing. */
export function replayScenario(lines: number): Scenario {
  return {
    name: `replay-${lines}`,
    about: `closed loop, ${lines} lines: first calls, then the same calls again; CPU of each`,
    run: (stage) => runReplay(stage, lines),
  };
}

async function runReplay(stage: Stage, lines: number): Promise<ScenarioReport> {
  const baskets = Math.ceil((FIRST_LINES_PER_SECOND / lines) * stage.options.seconds);
  const mix: Mix = { lines, members: 'many', replayOf: { baskets } };
  const results = await inRounds(
    stage,
    entrantsOf(stage, ['service', 'floor', 'fastify']),
    { lines, members: 'many' },
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
      saturationTable(`replay-${lines}: first calls, ${lines} lines`, part('first')),
      saturationTable(`replay-${lines}: the same calls again`, part('replay')),
    ],
    figures: {
      [`replay-${lines}.cpu.ratio`]: service.map(({ first, replay }) => cleanCpuUs(replay) / cleanCpuUs(first)),
      [`replay-${lines}.cpu.service/fastify`]: ratios(part('replay'), 'service', 'fastify', cleanCpuUs),
    },
    pictures: [],
    notes: [],
    raw: Object.fromEntries(results),
  };
}
