import type { Mix } from '../load/mix.ts';
import { percentileMs, showNumber, showSpread } from '../report/spread.ts';
import { timeline } from '../report/timeline.ts';
import { measureClosed, measureOpen, steady } from './measure.ts';
import { recoveryMs } from './recovery.ts';
import { entrantsOf, inRounds, withContestants } from './rounds.ts';
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
  const { rate, results } = await withContestants(stage, entrantsOf(stage, ['service']), MIX, async (contestants) => {
    const [service] = contestants.values();
    if (!service) throw new Error('The service does not take part.');
    const saturation = await measureClosed(stage, service, MIX);
    const quarter = Math.max(20, saturation.perSecond * SHARE);
    const measured = await inRounds(
      stage,
      contestants,
      (contestant, _label, round) =>
        measureOpen(stage, contestant, MIX, [steady(quarter, seconds)], {
          seed: round,
          during: async () => {
            await sleep(START_MS + LEAD_MS);
            contestant.redis.pause();
            await sleep(STALL_MS);
            contestant.redis.resume();
          },
        }),
      (result) => `normal again after ${showNumber(afterStall(result))} ms`,
    );
    return { rate: quarter, results: measured };
  });
  const rounds = results.get('service') ?? [];
  const phases = rounds.map(({ phases: [only] }) => only);
  const answered = (status: string) => phases.map((only) => only?.statuses[status] ?? 0);
  return {
    tables: [
      {
        title: `stall: Redis stands still for ${STALL_MS} ms at ${showNumber(rate)}/s`,
        head: ['', 'service'],
        rows: [
          [
            'sent',
            showSpread(
              phases.map((only) => only?.sent ?? 0),
              'high',
            ),
          ],
          ['answered 200', showSpread(answered('200'), 'low')],
          ['answered 503', showSpread(answered('503'), 'high')],
          ['other answers', showSpread(rounds.map(otherAnswers), 'high')],
          [
            'accepted p99 ms',
            showSpread(
              phases.map((only) => percentileMs(only?.acceptedAll, 99)),
              'high',
            ),
          ],
          [
            'refused at most ms',
            showSpread(
              phases.map((only) => (only?.refused.maxUs ?? 0) / 1000),
              'high',
            ),
          ],
          ['normal again after ms', showSpread(rounds.map(afterStall), 'high')],
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
    raw: { rate, rounds },
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
