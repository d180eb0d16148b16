import { percentilePicture } from '../../packages/tools/src/load/picture.ts';
import { CONTESTANTS } from '../machine/contestant.ts';
import { percentileMs, showNumber } from '../report/spread.ts';
import { acceptedOf, failuresOf, latencyTable } from './latency-table.ts';
import { measureClosed, measureSteady, type OpenMeasurement, perSecondOf } from './measure.ts';
import { disturbedRounds, inRounds, partOf, type Results, ratios, withOne } from './rounds.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX = { lines: 20 };

/** The length factor of these runs: p99.9 needs thousands of requests. */
const LENGTH = 2;
const LEAST_PER_SECOND = 50;

/** Measures percentiles at half load: of the contestant's own saturation, and of Fastify's. */
export const latencyScenario: Scenario = {
  name: 'latency',
  about:
    'open loop, 20 lines, one contestant alive at a time: at half of its own saturation, and at half of that of Fastify; percentiles from the scheduled send',
  run: runLatency,
};

async function runLatency(stage: Stage): Promise<ScenarioReport> {
  const rate = await findCommonRate(stage);
  const seconds = stage.options.seconds * LENGTH;
  const results = await inRounds(stage, {
    contestants: CONTESTANTS,
    mix: MIX,
    isAlone: true,
    measure: async (contestant, round) => {
      const perSecond = half(perSecondOf(await measureClosed(stage, contestant, MIX)));
      const own = await measureSteady(stage, contestant, MIX, { perSecond, seconds, round });
      return {
        perSecond,
        own,
        common: await measureSteady(stage, contestant, MIX, { perSecond: rate, seconds, round }),
      };
    },
    show: ({ perSecond, own, common }) =>
      `p99 ${showNumber(p99(own))} ms at ${perSecond}/s, ${showNumber(p99(common))} ms at ${rate}/s`,
  });
  const [own, common] = [partOf(results, (pair) => pair.own), partOf(results, (pair) => pair.common)];
  const rowsOf = (part: Results<OpenMeasurement>) => [...part].map(([label, rounds]) => ({ label, rounds }));
  const service = own.get('service') ?? [];
  return {
    tables: [
      latencyTable('latency: open loop at half of their own saturation, 20 lines', rowsOf(own)),
      latencyTable(`latency: open loop at ${rate}/s, 20 lines`, rowsOf(common)),
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
    disturbedRounds: disturbedRounds(own, common),
    picture: {
      name: 'latency-percentiles',
      svg: percentilePicture(
        `Latency from the scheduled send, ${rate}/s, 20 lines (median round)`,
        rowsOf(common).flatMap(({ label, rounds }) => {
          const middle = [...rounds].sort((a, b) => p999(a) - p999(b))[Math.floor(rounds.length / 2)];
          return middle ? [{ label, latencies: acceptedOf(middle) }] : [];
        }),
        [],
      ),
    },
    raw: { rate, ...Object.fromEntries(results) },
  };
}

/** Half of Fastify's saturation, or of the first contestant's when Fastify takes no part. */
async function findCommonRate(stage: Stage): Promise<number> {
  const { contestants } = stage.options;
  const name = contestants.includes('fastify') ? 'fastify' : (contestants[0] ?? 'service');
  const perSecond = await withOne(stage, MIX, async (one) => perSecondOf(await measureClosed(stage, one, MIX)), name);
  stage.say(`${name} takes ${showNumber(perSecond)}/s; all are asked ${half(perSecond)}/s`);
  return half(perSecond);
}

function half(perSecond: number): number {
  return Math.max(LEAST_PER_SECOND, Math.round(perSecond / 2));
}

function p99(round: OpenMeasurement): number {
  return percentileMs(acceptedOf(round), 99);
}

function p999(round: OpenMeasurement): number {
  return percentileMs(acceptedOf(round), 99.9);
}
