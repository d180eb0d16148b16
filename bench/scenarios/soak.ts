import { showNumber } from '../report/spread.ts';
import { faultsOf, MEGABYTE } from './lines.ts';
import { type ClosedMeasurement, measureClosed, perSecondOf } from './measure.ts';
import { withOne } from './rounds.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX = { lines: 20, replayShare: 0.02 };
const PARTS = 10;

/** Shows whether the service's memory grows with the number of answered calls. */
export const soakScenario: Scenario = {
  name: 'soak',
  about: 'closed loop, 20 lines, a million calls in a row: resident memory after every tenth',
  isOnDemand: true,
  run: runSoak,
};

async function runSoak(stage: Stage): Promise<ScenarioReport> {
  const perPart = Math.ceil(stage.options.calls / PARTS);
  const parts: ClosedMeasurement[] = [];
  await withOne(stage, MIX, async (service) => {
    for (let part = 1; part <= PARTS; part += 1) {
      const measured = await measureClosed(stage, service, MIX, { amount: perPart });
      parts.push(measured);
      stage.say(`${showNumber(part * perPart)} calls: ${showNumber(measured.residentBytes / MEGABYTE)} MB`);
    }
  });
  const [first, ...later] = parts;
  const highest = Math.max(...later.map(({ residentBytes }) => residentBytes));
  return {
    tables: [
      {
        title: 'soak: resident memory of the service',
        head: ['calls', 'memory MB', 'requests/s', 'not 200'],
        rows: parts.map((part, at) => [
          showNumber((at + 1) * perPart),
          showNumber(part.residentBytes / MEGABYTE),
          showNumber(perSecondOf(part)),
          showNumber(faultsOf(part)),
        ]),
      },
    ],
    figures: { 'soak.growth': first ? [highest / first.residentBytes] : [] },
    raw: parts,
  };
}
