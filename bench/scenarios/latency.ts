import { percentilePicture } from '../../packages/tools/src/load/picture.ts';
import type { Mix } from '../load/mix.ts';
import { CONTESTANTS, Contestant } from '../machine/contestant.ts';
import { percentileMs, showNumber } from '../report/spread.ts';
import { acceptedOf, failuresOf, latencyTable } from './latency-table.ts';
import { measureClosed, measureOpen, steady, warmUp } from './measure.ts';
import { chosenOf, disturbedRounds, oneAtATime, type Results, ratios } from './rounds.ts';
import type { OpenMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20 };

/** The length factor of these runs: p99.9 needs thousands of requests. */
const LENGTH = 2;
const LEAST_PER_SECOND = 50;

/** One contestant alone, at half of what itself sustains, and at a rate that all of them sustain. */
interface Pair {
  readonly perSecond: number;
  readonly own: OpenMeasurement;
  readonly common: OpenMeasurement;
}

/** Measures percentiles at half load: of the contestant's own saturation, and of Fastify's. */
export const latencyScenario: Scenario = {
  name: 'latency',
  about:
    'open loop, 20 lines, one contestant alive at a time: at half of its own saturation, and at half of that of Fastify; percentiles from the scheduled send',
  run: runLatency,
};

async function runLatency(stage: Stage): Promise<ScenarioReport> {
  const rate = await findCommonRate(stage);
  const results = await oneAtATime(
    stage,
    chosenOf(stage, CONTESTANTS),
    MIX,
    async (contestant, round): Promise<Pair> => {
      const perSecond = half((await measureClosed(stage, contestant, MIX)).perSecond);
      const measure = (each: number) =>
        measureOpen(stage, contestant, MIX, [steady(each, stage.options.seconds * LENGTH)], { seed: round });
      return { perSecond, own: await measure(perSecond), common: await measure(rate) };
    },
    ({ perSecond, own, common }) =>
      `p99 ${showNumber(percentileMs(acceptedOf(own), 99))} ms at ${perSecond}/s, ` +
      `${showNumber(percentileMs(acceptedOf(common), 99))} ms at ${rate}/s`,
  );
  const part = (name: 'own' | 'common'): Results<OpenMeasurement> =>
    new Map([...results].map(([label, rounds]) => [label, rounds.map((round) => round[name])]));
  const [own, common] = [part('own'), part('common')];
  const rows = (of: Results<OpenMeasurement>) =>
    [...of].map(([label, rounds]) => ({ label, rounds, latencies: acceptedOf }));
  const service = own.get('service') ?? [];
  return {
    tables: [
      latencyTable('latency: open loop at half of their own saturation, 20 lines', rows(own)),
      latencyTable(`latency: open loop at ${rate}/s, 20 lines`, rows(common)),
    ],
    figures: {
      'latency.own.p99': service.map(p99),
      'latency.own.p999': service.map(p999),
      'latency.p99.service/fastify': ratios(common, 'service', 'fastify', p99),
      'latency.p999.service/fastify': ratios(common, 'service', 'fastify', p999),
      'latency.p99.service/floor': ratios(common, 'service', 'floor', p99),
      'latency.p999.service/floor': ratios(common, 'service', 'floor', p999),
      'latency.failures': [...own.values(), ...common.values()].flat().map(failuresOf),
    },
    disturbedRounds: [...new Set([...disturbedRounds(own), ...disturbedRounds(common)])],
    picture: {
      name: 'latency-percentiles',
      svg: percentilePicture(
        `Latency from the scheduled send, ${rate}/s, 20 lines (median round)`,
        [...common].flatMap(([label, rounds]) => {
          const latencies = middleRound(rounds);
          return latencies ? [{ label, latencies }] : [];
        }),
        [],
      ),
    },
    notes: [],
    raw: { rate, ...Object.fromEntries(results) },
  };
}

/** Half of Fastify's saturation, or of the first contestant's when Fastify takes no part. */
async function findCommonRate(stage: Stage): Promise<number> {
  const name = stage.options.contestants.includes('fastify') ? 'fastify' : (stage.options.contestants[0] ?? 'service');
  const reference = await Contestant.start(name);
  try {
    await warmUp(stage, reference, MIX);
    const { perSecond } = await measureClosed(stage, reference, MIX);
    stage.say(`${name} takes ${showNumber(perSecond)}/s; all are asked ${half(perSecond)}/s`);
    return half(perSecond);
  } finally {
    await reference.stop();
  }
}

function half(perSecond: number): number {
  return Math.max(LEAST_PER_SECOND, Math.round(perSecond / 2));
}

function p99(result: OpenMeasurement): number {
  return percentileMs(acceptedOf(result), 99);
}

function p999(result: OpenMeasurement): number {
  return percentileMs(acceptedOf(result), 99.9);
}

function middleRound(rounds: readonly OpenMeasurement[]) {
  const middle = [...rounds].sort((a, b) => p999(a) - p999(b))[Math.floor(rounds.length / 2)];
  return middle && acceptedOf(middle);
}
