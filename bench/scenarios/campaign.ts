import { counterToken, createKeys } from '../../src/store/keys.ts';
import type { Mix } from '../load/mix.ts';
import type { Contestant } from '../machine/contestant.ts';
import { showNumber } from '../report/spread.ts';
import { measureClosed } from './measure.ts';
import { disturbedRounds, type Entrant, inRounds, ratios } from './rounds.ts';
import { cleanCpuUs, saturationTable } from './saturation.ts';
import type { ClosedMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, members: 'many', withSales: true };
const WITHOUT = 'no campaign';
const LARGE = 'one budget, which lasts';
const SMALL = 'one budget, which runs out';
const LASTS = 1_000_000;
const RUNS_OUT = 2000;
const SCANNED = 1000;

const KEYS = createKeys('staging');
const USAGE = 'campaign~programme:*';
const COUNTER = counterToken('bench-club', undefined, USAGE);

/** The counter of the campaign, and the same as the records of calculations have it. */
interface Books {
  readonly consumed: number;
  readonly held: number;
  /** Of the held units, those of calls that never committed, which are looked up when their calls are over. */
  readonly unconfirmed: number;
  readonly sold: number;
  readonly open: number;
}

type Measured = ClosedMeasurement & { readonly books: Books };

/** Shows what a limit over all members costs a call whose every basket draws on it, and that none is oversold. */
export const campaignScenario: Scenario = {
  name: 'campaign',
  about: 'closed loop, 20 lines, baskets and sales: all on one budget of all members, beside the same without one',
  run: runCampaign,
};

async function runCampaign(stage: Stage): Promise<ScenarioReport> {
  const entrants: readonly Entrant[] = [
    { label: WITHOUT, name: 'service' },
    { label: LARGE, name: 'service', options: { campaign: LASTS } },
    { label: SMALL, name: 'service', options: { campaign: RUNS_OUT } },
  ];
  const results = await inRounds(
    stage,
    entrants,
    MIX,
    async (contestant): Promise<Measured> => {
      const measured = await measureClosed(stage, contestant, MIX);
      return { ...measured, books: await readBooks(contestant) };
    },
    ({ perSecond, cpu, books }) =>
      `${showNumber(perSecond)}/s, ${showNumber(cpu.contestantUs)} µs CPU, ${books.consumed} consumed, ${books.held} held`,
  );
  const rows = [LARGE, SMALL].flatMap((label) =>
    (results.get(label) ?? []).map(({ books }, round) => {
      const quantity = label === SMALL ? RUNS_OUT : LASTS;
      const oversold = Math.max(0, books.consumed + books.held - quantity);
      const agrees = books.consumed === books.sold && books.held - books.unconfirmed === books.open;
      return [label, `${round + 1}`, ...Object.values(books).map(String), String(oversold), agrees ? 'yes' : 'NO'];
    }),
  );
  const head = [
    'budget',
    'round',
    'consumed',
    'held',
    'unconfirmed',
    'records: sold',
    'records: open',
    'oversold',
    'agree',
  ];
  return {
    tables: [
      saturationTable('campaign: 20 lines, baskets and sales', results),
      { title: 'campaign: the books of the budget', head, rows },
    ],
    figures: { 'campaign.cpu.ratio': ratios(results, LARGE, WITHOUT, cleanCpuUs) },
    disturbedRounds: disturbedRounds(results),
    pictures: [],
    notes: [],
    raw: Object.fromEntries(results),
  };
}

async function readBooks({ redis: { client } }: Contestant): Promise<Books> {
  const [consumed, held, unconfirmed] = await Promise.all([
    client.hget(KEYS.use(COUNTER), USAGE),
    client.hlen(KEYS.hold(COUNTER)),
    client.zcard(KEYS.unconfirmed(COUNTER)),
  ]);
  let [sold, open] = [0, 0];
  const pages = client.scanStream({ match: 'loyalty:staging:calc:*', count: SCANNED });
  for await (const keys of pages as AsyncIterable<string[]>) {
    const states = await Promise.all(keys.map((key) => client.hmget(key, 'state', 'common')));
    for (const [state, common] of states) {
      if (!common) continue;
      if (state === 'sold') sold += 1;
      if (state === 'open') open += 1;
    }
  }
  return { consumed: Number(consumed ?? 0), held, unconfirmed, sold, open };
}
