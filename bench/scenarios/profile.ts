import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nowUs } from '../../packages/tools/src/load/pacer.ts';
import type { Mix } from '../load/mix.ts';
import { Contestant } from '../machine/contestant.ts';
import { readProfiles, type Span } from '../machine/cpu-profile.ts';
import { showNumber } from '../report/spread.ts';
import { measureClosed, warmUp } from './measure.ts';
import { faultsOf } from './saturation.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const SHOWN = 40;

/** Shows the service's CPU time by function. */
export function profileScenario(name: string, lines: number): Scenario {
  return {
    name,
    about: `closed loop, ${lines} lines, the service under --cpu-prof: the functions with most time of their own, per thread`,
    isOnDemand: true,
    run: (stage) => runProfile(stage, name, { lines, members: 'many' }),
  };
}

async function runProfile(stage: Stage, scenario: string, mix: Mix): Promise<ScenarioReport> {
  const folder = mkdtempSync(join(tmpdir(), 'lb-profile-'));
  const nodeOptions = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=500'];
  const service = await Contestant.start('service', { nodeOptions });
  let span: Span;
  let measured: Awaited<ReturnType<typeof measureClosed>>;
  try {
    await warmUp(stage, service, mix);
    const fromUs = nowUs();
    measured = await measureClosed(stage, service, mix);
    span = { fromUs, toUs: nowUs() };
  } finally {
    // The profiles are written when the threads end.
    await service.stop();
  }
  const profiles = readProfiles(folder, span);
  rmSync(folder, { recursive: true });
  return {
    tables: profiles.map(({ busyMs, functions }, thread) => ({
      title: `${scenario}: ${thread === 0 ? 'main thread' : `worker ${thread}`}, busy for ${showNumber(busyMs)} ms`,
      head: ['function', 'ms', '%', 'place'],
      rows: functions
        .slice(0, SHOWN)
        .map(({ name, place, ms }) => [name, showNumber(ms), showNumber((ms / busyMs) * 100), place]),
    })),
    figures: {},
    pictures: [],
    notes: [`Profiled at ${showNumber(measured.perSecond)} requests/s, ${faultsOf(measured)} not answered with 200.`],
    raw: {
      measured,
      profiles: profiles.map(({ file, busyMs, functions }) => ({ file, busyMs, functions: functions.slice(0, 200) })),
    },
  };
}
