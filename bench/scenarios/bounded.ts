import { CAMPAIGN_VENUE, type Mix, VENUE } from '../load/mix.ts';
import { besideBursts } from '../machine/bursts.ts';
import { percentilePlot } from '../report/percentile-plot.ts';
import { percentileMs, showNumber, showSpread } from '../report/spread.ts';
import { latencyTable, onlyPhase } from './latency-table.ts';
import { measureOpen, steady } from './measure.ts';
import { type Entrant, takeTurns, withContestants } from './rounds.ts';
import type { OpenMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

/** One basket in ten has 20 lines; only its venue's programme differs between the runs. */
const SHARE = 0.1;
const mixOf = (venueId: string, share: number = SHARE): Mix => ({
  lines: 5,
  members: 'many',
  large: { share, lines: 20, venueId },
});
const SEARCHED = mixOf(CAMPAIGN_VENUE);
const PLAIN = mixOf(VENUE);
const LENGTH = 2;
/** The searches take this part of a core. With more, searched baskets would be refused, and those do not delay anybody. */
const PART_OF_A_CORE = 0.5;
const PROBE_PER_SECOND = 10;
const MICROS_PER_SECOND = 1_000_000;
const MICROS_PER_MS = 1000;

const ENTRANT: Entrant = { label: 'service', name: 'service', options: { hasCampaignVenue: true } };

interface Round {
  readonly plain: OpenMeasurement;
  readonly searched: OpenMeasurement;
  /** None is searched, and a process that has nothing to do with the service works as much as the searches would. */
  readonly burdened: OpenMeasurement;
}

/** Shows whether baskets that are searched with the larger budget, in a thread, delay the others, and how much of that is the machine's. */
export const boundedScenario: Scenario = {
  name: 'bounded',
  about:
    'open loop: 5-line baskets, one basket in ten has 20 lines and benefits that compete for all of them, so that searches take half of a core; as many where none compete; and these beside as much work of another process',
  run: runBounded,
};

async function runBounded(stage: Stage): Promise<ScenarioReport> {
  const rounds: Round[] = [];
  const seconds = stage.options.seconds * LENGTH;
  const rate = await withContestants(stage, [ENTRANT], SEARCHED, async (contestants) => {
    const service = contestants.get(ENTRANT.label);
    if (!service) throw new Error('The service does not take part.');
    const onlySearched = mixOf(CAMPAIGN_VENUE, 1);
    const probe = await measureOpen(stage, service, onlySearched, [steady(PROBE_PER_SECOND, seconds)]);
    const searchUs = probe.cpu.contestantUs;
    const searchesPerSecond = (PART_OF_A_CORE * MICROS_PER_SECOND) / searchUs;
    const perSecond = Math.round(searchesPerSecond / SHARE);
    stage.say(
      `a searched basket takes ${showNumber(searchUs / MICROS_PER_MS)} ms of CPU; ${perSecond}/s of the mix are asked`,
    );
    const measure = (mix: Mix, seed: number) =>
      measureOpen(stage, service, mix, [steady(perSecond, seconds)], { seed });
    for (let round = 0; round < stage.options.rounds; round += 1) {
      const [plain, searched, burdened] = await takeTurns(round, [
        () => measure(PLAIN, round),
        () => measure(SEARCHED, round),
        () => besideBursts(searchesPerSecond, searchUs / MICROS_PER_MS, () => measure(PLAIN, round)),
      ]);
      rounds.push({ plain, searched, burdened });
      const [without, beside, bursts] = [plain, searched, burdened].map((run) => showNumber(p99(run)));
      const shown = `p99 of 5 lines ${without} ms without, ${beside} ms with baskets that are searched, ${bursts} ms beside as much work of another process`;
      stage.say(`round ${round + 1} of ${stage.options.rounds}: ${shown}`);
    }
    return perSecond;
  });
  const [plain, searched] = [rounds.map((round) => round.plain), rounds.map((round) => round.searched)];
  const small = (run: OpenMeasurement) => onlyPhase(run).accepted.basket;
  const large = (run: OpenMeasurement) => onlyPhase(run).accepted.large;
  const last = rounds.at(-1);
  return {
    tables: [
      latencyTable(`bounded: ${rate}/s of the mix`, [
        { label: '5 lines, none searched', rounds: plain, latencies: small },
        { label: '5 lines beside searched', rounds: searched, latencies: small },
        { label: '5 lines beside bursts', rounds: rounds.map((round) => round.burdened), latencies: small },
        { label: '20 lines, not searched', rounds: plain, latencies: large },
        { label: '20 lines, searched', rounds: searched, latencies: large },
      ]),
    ],
    figures: { 'bounded.p99.ratio': rounds.map((round) => p99(round.searched) / p99(round.plain)) },
    pictures: [
      percentilePlot('bounded-percentiles', 'Latency of 5-line baskets beside baskets that are searched (last round)', {
        '5 lines, none searched': last && small(last.plain),
        '5 lines beside searched': last && small(last.searched),
        '5 lines beside bursts': last && small(last.burdened),
        '20 lines, searched': last && large(last.searched),
      }),
    ],
    notes: [
      `p99 beside searched ÷ beside as much work of another process: ${showSpread(rounds.map((round) => p99(round.searched) / p99(round.burdened)))}`,
    ],
    raw: { rate, rounds },
  };
}

/** Of the small baskets. */
function p99(run: OpenMeasurement): number {
  return percentileMs(onlyPhase(run).accepted.basket, 99);
}
