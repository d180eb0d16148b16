import type { Mix } from '../load/mix.ts';
import { percentileMs, showNumber, showSpread } from '../report/spread.ts';
import { timeline } from '../report/timeline.ts';
import { measureClosed, measureOpen, steady } from './measure.ts';
import { recoveryMs } from './recovery.ts';
import { entrantsOf, inRounds } from './rounds.ts';
import type { OpenMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, members: 'many' };
const LEAD_MS = 2000;
const STALL_MS = 1000;
const TAIL_MS = 5000;
/** A quarter of saturation, so that the service can work off the waiting requests beside new ones. */
const SHARE = 0.25;

/** The open loop starts this long after its command, when its connections and its pacer are ready. */
const START_MS = 350;

/** Stops Redis for a second while its connections stay open. */
export const stallScenario: Scenario = {
  name: 'stall',
  about: 'open loop, 20 lines, a quarter of saturation; Redis is stopped (SIGSTOP) for one second',
  run: runStall,
};

async function runStall(stage: Stage): Promise<ScenarioReport> {
  const seconds = (LEAD_MS + STALL_MS + TAIL_MS) / 1000;
  const results = await inRounds(
    stage,
    entrantsOf(stage, ['service']),
    MIX,
    async (contestant, _label, round) => {
      const saturation = await measureClosed(stage, contestant, MIX);
      const rate = Math.max(20, saturation.perSecond * SHARE);
      return measureOpen(stage, contestant, MIX, [steady(rate, seconds)], {
        seed: round,
        during: async () => {
          await sleep(START_MS + LEAD_MS);
          contestant.redis.pause();
          await sleep(STALL_MS);
          contestant.redis.resume();
        },
      });
    },
    (result) => `normal again after ${showNumber(afterStall(result))} ms`,
  );
  const rounds = results.get('service') ?? [];
  const phases = rounds.map(({ phases: [only] }) => only);
  const answered = (status: string) => phases.map((only) => only?.statuses[status] ?? 0);
  return {
    tables: [
      {
        title: `stall: Redis stands still for ${STALL_MS} ms at a quarter of saturation`,
        head: ['', 'service'],
        rows: [
          ['sent', showSpread(phases.map((only) => only?.sent ?? 0))],
          ['answered 200', showSpread(answered('200'))],
          ['answered 503', showSpread(answered('503'))],
          ['other answers', showSpread(rounds.map(otherAnswers))],
          ['accepted p99 ms', showSpread(phases.map((only) => percentileMs(only?.acceptedAll, 99)))],
          ['refused at most ms', showSpread(phases.map((only) => (only?.refused.maxUs ?? 0) / 1000))],
          ['normal again after ms', showSpread(rounds.map(afterStall))],
        ],
      },
    ],
    figures: { 'stall.recoveryMs': rounds.map(afterStall), 'stall.other': rounds.map(otherAnswers) },
    pictures: rounds
      .slice(-1)
      .map(({ slices, sliceMs }) =>
        timeline('stall-timeline', 'Redis stands still for a second (last round)', slices, sliceMs, [
          { label: 'Redis stopped', fromSeconds: LEAD_MS / 1000, toSeconds: (LEAD_MS + STALL_MS) / 1000 },
        ]),
      ),
    notes: [],
    raw: rounds,
  };
}

function afterStall({ slices, sliceMs }: OpenMeasurement): number {
  return recoveryMs(slices, sliceMs, LEAD_MS + STALL_MS);
}

/** Counts the requests that were neither answered nor properly refused. */
function otherAnswers({ phases, faults }: OpenMeasurement): number {
  const lost = phases.reduce(
    (sum, { sent, acceptedAll, refused }) => sum + sent - acceptedAll.count - refused.count,
    0,
  );
  return lost + faults.wrongBodies;
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
