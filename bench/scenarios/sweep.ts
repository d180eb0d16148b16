import type { Table } from '../report/table.ts';
import { type Entrant, ratios } from './rounds.ts';
import { saturate } from './saturate.ts';
import { cleanCpuUs, saturationTable } from './saturation.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const LINES = [5, 20, 40, 80, 200] as const;
/** The size of the largest body, so that the front end prices every basket. */
const EVERYTHING = String(256 * 1024);

const INLINE = 'front end';
const ENTRANTS: readonly Entrant[] = [
  { label: INLINE, name: 'service', options: { env: { INLINE_BYTES: EVERYTHING } } },
  { label: 'one thread', name: 'service', options: { env: { INLINE_BYTES: '0', WORKERS: '1' } } },
  { label: 'two threads', name: 'service', options: { env: { INLINE_BYTES: '0', WORKERS: '2' } } },
];

/** Measures the basis of `INLINE_BYTES` and `WORKERS`: the cost of each basket size in the front end and in threads. */
export const sweepScenario: Scenario = {
  name: 'sweep',
  about: `closed loop, ${LINES.join(', ')} lines: all baskets priced by the front end, by one thread, by two`,
  isOnDemand: true,
  run: runSweep,
};

async function runSweep(stage: Stage): Promise<ScenarioReport> {
  const tables: Table[] = [];
  const figures: Record<string, readonly number[]> = {};
  const raw: Record<string, unknown> = {};
  for (const lines of LINES) {
    const mix = { lines, members: 'many' } as const;
    const results = await saturate(stage, ENTRANTS, mix);
    tables.push(saturationTable(`sweep: ${lines} lines`, results));
    for (const { label } of ENTRANTS.slice(1)) {
      figures[`sweep.${lines}.cpu.${label}/${INLINE}`] = ratios(results, label, INLINE, cleanCpuUs);
    }
    raw[String(lines)] = Object.fromEntries(results);
  }
  return { tables, figures, pictures: [], notes: [], raw };
}
