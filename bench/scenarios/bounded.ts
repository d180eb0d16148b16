import { CAMPAIGN_VENUE, type Mix, VENUE } from '../load/mix.ts';
import { percentilePlot } from '../report/percentile-plot.ts';
import { percentileMs, showNumber } from '../report/spread.ts';
import { latencyTable, onlyPhase } from './latency-table.ts';
import { measureClosed, measureOpen, steady } from './measure.ts';
import { type Entrant, withContestants } from './rounds.ts';
import type { OpenMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

/** One basket in ten has 20 lines; only its venue's programme differs between the runs. */
const mixOf = (venueId: string): Mix => ({
  lines: 5,
  members: 'many',
  large: { share: 0.1, lines: 20, venueId },
});
const SEARCHED = mixOf(CAMPAIGN_VENUE);
const PLAIN = mixOf(VENUE);
const LENGTH = 2;
const LEAST_PER_SECOND = 20;

const ENTRANT: Entrant = { label: 'service', name: 'service', options: { hasCampaignVenue: true } };

/** Shows whether baskets that are searched with the larger budget, in a thread, delay the others. */
export const boundedScenario: Scenario = {
  name: 'bounded',
  about:
    'open loop at half of saturation: 5-line baskets, one basket in ten has 20 lines and benefits that compete for all of them, and as many where none compete',
  run: runBounded,
};

async function runBounded(stage: Stage): Promise<ScenarioReport> {
  const rounds: { readonly plain: OpenMeasurement; readonly searched: OpenMeasurement }[] = [];
  const rate = await withContestants(stage, [ENTRANT], SEARCHED, async (contestants) => {
    const service = contestants.get(ENTRANT.label);
    if (!service) throw new Error('The service does not take part.');
    const saturation = await measureClosed(stage, service, SEARCHED);
    const half = Math.max(LEAST_PER_SECOND, Math.round(saturation.perSecond / 2));
    stage.say(`the mix saturates at ${showNumber(saturation.perSecond)}/s; it is asked ${half}/s`);
    const phases = [steady(half, stage.options.seconds * LENGTH)];
    const measure = (mix: Mix, seed: number) => measureOpen(stage, service, mix, phases, { seed });
    for (let round = 0; round < stage.options.rounds; round += 1) {
      // The first one changes with the round.
      const early = round % 2 === 0 ? await measure(PLAIN, round) : undefined;
      const searched = await measure(SEARCHED, round);
      const plain = early ?? (await measure(PLAIN, round));
      rounds.push({ plain, searched });
      const [without, beside] = [plain, searched].map((run) => showNumber(p99(run)));
      const shown = `p99 of 5 lines ${without} ms without, ${beside} ms with baskets that are searched`;
      stage.say(`round ${round + 1} of ${stage.options.rounds}: ${shown}`);
    }
    return half;
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
        { label: '20 lines, not searched', rounds: plain, latencies: large },
        { label: '20 lines, searched', rounds: searched, latencies: large },
      ]),
    ],
    figures: { 'bounded.p99.ratio': rounds.map((round) => p99(round.searched) / p99(round.plain)) },
    pictures: [
      percentilePlot('bounded-percentiles', 'Latency of 5-line baskets beside baskets that are searched (last round)', {
        '5 lines, none searched': last && small(last.plain),
        '5 lines beside searched': last && small(last.searched),
        '20 lines, searched': last && large(last.searched),
      }),
    ],
    notes: [],
    raw: { rate, rounds },
  };
}

/** Of the small baskets. */
function p99(run: OpenMeasurement): number {
  return percentileMs(onlyPhase(run).accepted.basket, 99);
}
