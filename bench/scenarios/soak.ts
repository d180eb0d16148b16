import type { Mix } from '../load/mix.ts';
import { showNumber } from '../report/spread.ts';
import { measureClosed } from './measure.ts';
import { withService } from './rounds.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, replayShare: 0.02 };
const PARTS = 10;
const MEGABYTE = 1024 * 1024;

/** Shows whether the service's memory grows with the number of answered calls. */
export const soakScenario: Scenario = {
  name: 'soak',
  about: 'closed loop, 20 lines, a million calls in a row: resident memory after every tenth',
  isOnDemand: true,
  run: runSoak,
};

interface Part {
  readonly calls: number;
  readonly residentBytes: number;
  readonly perSecond: number;
  readonly failures: number;
}

async function runSoak(stage: Stage): Promise<ScenarioReport> {
  const perPart = Math.ceil(stage.options.calls / PARTS);
  const parts: Part[] = [];
  await withService(stage, MIX, async (service) => {
    for (let part = 1; part <= PARTS; part += 1) {
      const measured = await measureClosed(stage, service, MIX, { amount: perPart });
      const { residentBytes, perSecond, statuses } = measured;
      parts.push({ calls: part * perPart, residentBytes, perSecond, failures: perPart - (statuses['200'] ?? 0) });
      stage.say(`${showNumber(part * perPart)} calls: ${showNumber(residentBytes / MEGABYTE)} MB`);
    }
  });
  const [first, ...later] = parts;
  const highest = Math.max(...later.map(({ residentBytes }) => residentBytes));
  return {
    tables: [
      {
        title: 'soak: resident memory of the service',
        head: ['calls', 'memory MB', 'requests/s', 'not 200'],
        rows: parts.map((part) => [
          showNumber(part.calls),
          showNumber(part.residentBytes / MEGABYTE),
          showNumber(part.perSecond),
          showNumber(part.failures),
        ]),
      },
    ],
    figures: { 'soak.growth': first ? [highest / first.residentBytes] : [] },
    notes: [],
    raw: parts,
  };
}
