import type { Contestant } from '../machine/contestant.ts';
import { percentileMs, showNumber } from '../report/spread.ts';
import { acceptedOf, failuresOf, latencyTable } from './latency-table.ts';
import { measureClosed, measureSteady, type OpenMeasurement, perSecondOf, sentOf } from './measure.ts';
import { withOne } from './rounds.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX = { lines: 20 };

/** The response times of the interface (interface, section 4.9). */
const BUDGET_MS = { p95: 150, p99: 250 };

/** The most failed calls at a sustained rate: a service that refuses half of its calls is fast but useless. */
const MAX_FAILED_SHARE = 0.001;

/** The search ends when its bounds are this close. */
const PRECISION = 0.03;
const CONFIRMATION_LENGTH = 3;
/** An unconfirmed rate is lowered by this factor and tried again. */
const STEP_DOWN = 0.95;
const MAX_CONFIRMATIONS = 6;

interface Trial {
  readonly perSecond: number;
  readonly isKept: boolean;
  readonly measured: OpenMeasurement;
}

/** The highest rate that keeps the latency budget. */
export const capacityScenario: Scenario = {
  name: 'capacity',
  about: 'open loop, 20 lines: the highest rate with p95 ≤ 150 ms, p99 ≤ 250 ms and 99.9 % answered with 200',
  run: runCapacity,
};

async function runCapacity(stage: Stage): Promise<ScenarioReport> {
  const trials: Trial[] = [];
  const capacity = await withOne(stage, MIX, (service) => findCapacity(stage, service, trials));
  const confirmed = trials.at(-1) as Trial;
  return {
    tables: [
      latencyTable(`capacity: ${showNumber(capacity)}/s keep the budget`, [
        { label: 'confirmation', rounds: [confirmed.measured] },
      ]),
      {
        title: 'capacity: the rates that were tried',
        head: ['requests/s', 'p95 ms', 'p99 ms', 'not 200', 'kept'],
        rows: trials.map(({ perSecond, isKept, measured }) => [
          showNumber(perSecond),
          showNumber(percentileMs(acceptedOf(measured), 95)),
          showNumber(percentileMs(acceptedOf(measured), 99)),
          showNumber(failuresOf(measured)),
          isKept ? 'yes' : 'no',
        ]),
      },
    ],
    figures: { 'capacity.perSecond': [capacity] },
    raw: { capacity, trials },
  };
}

/**
 * Bisects between a rate that was sustained and one that was not, then confirms the found rate over a longer time, because a short
 * trial may have been lucky. Returns the confirmed rate, or 0.
 */
async function findCapacity(stage: Stage, service: Contestant, trials: Trial[]): Promise<number> {
  const { seconds } = stage.options;
  const saturation = perSecondOf(await measureClosed(stage, service, MIX));
  const isKept = async (perSecond: number, length: number): Promise<boolean> => {
    const trial = await attempt(stage, service, perSecond, length);
    trials.push(trial);
    return trial.isKept;
  };
  let [kept, missed] = [0, saturation * 1.3];
  while (missed - kept > saturation * PRECISION) {
    const perSecond = Math.round((kept + missed) / 2);
    if (await isKept(perSecond, seconds)) kept = perSecond;
    else missed = perSecond;
  }
  for (let times = 0; times < MAX_CONFIRMATIONS; times += 1) {
    if (await isKept(kept, seconds * CONFIRMATION_LENGTH)) return kept;
    kept = Math.round(kept * STEP_DOWN);
  }
  return 0;
}

async function attempt(stage: Stage, service: Contestant, rate: number, seconds: number): Promise<Trial> {
  const perSecond = Math.max(1, rate);
  const measured = await measureSteady(stage, service, MIX, { perSecond, seconds, round: rate });
  const latencies = acceptedOf(measured);
  const isKept =
    percentileMs(latencies, 95) <= BUDGET_MS.p95 &&
    percentileMs(latencies, 99) <= BUDGET_MS.p99 &&
    failuresOf(measured) <= sentOf(measured) * MAX_FAILED_SHARE;
  stage.say(`${showNumber(perSecond)}/s for ${seconds} s: ${isKept ? 'kept' : 'not kept'}`);
  return { perSecond, isKept, measured };
}
