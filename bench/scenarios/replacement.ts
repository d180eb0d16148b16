import type { Mix } from '../load/mix.ts';
import { removeFolder } from '../machine/cleanup.ts';
import { Contestant } from '../machine/contestant.ts';
import { prepareFolder, putVersion } from '../machine/version.ts';
import { percentileMs, showNumber } from '../report/spread.ts';
import { measureOpen, steady, warmUp } from './measure.ts';
import type { OpenMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20, members: 'many', withSales: true };
const PER_SECOND = 300;
const MOST_CALLS = 100_000;
const POLL_MS = 100;

/**
 * Replaces the gateways of a service again and again under load. With `--from` its folder holds that version at first, then
 * this one, then that one again: an upgrade and its rollback, with both versions on one Redis.
 */
export const replacementScenario: Scenario = {
  name: 'replacement',
  about: `open loop, 20 lines, baskets and sales, ${PER_SECOND}/s: two processes, replaced one by one all the time`,
  isOnDemand: true,
  run: runReplacement,
};

async function runReplacement(stage: Stage): Promise<ScenarioReport> {
  const { calls, from } = stage.options;
  const seconds = Math.ceil(Math.min(calls, MOST_CALLS) / PER_SECOND);
  const place = from === undefined ? undefined : prepareFolder(from);
  const service = await Contestant.start('service', {
    env: { PROCESSES: '2', WORKERS: '1' },
    ...(place !== undefined && { place }),
  });
  let rounds = 0;
  let isOver = false;
  const replaceAll = async (): Promise<void> => {
    while (!isOver) {
      rounds += 1;
      if (place !== undefined) putVersion(place, rounds % 2 === 1 ? undefined : from);
      process.kill(service.pid, 'SIGUSR2');
      while (!isOver && countOf(service, 'processes replaced') < rounds) await sleep(POLL_MS);
    }
  };
  try {
    await warmUp(stage, service, MIX);
    const replacing = replaceAll();
    const measured = await measureOpen(stage, service, MIX, [steady(PER_SECOND, seconds)]);
    isOver = true;
    await replacing;
    const failed = countOf(service, '"level":"error"') + countOf(service, '"level":"fatal"');
    return report(measured, { replaced: 2 * countOf(service, 'processes replaced'), faults: failed, from });
  } finally {
    isOver = true;
    await service.stop();
    if (place !== undefined) removeFolder(place);
  }
}

interface Seen {
  readonly replaced: number;
  /** Lines of the log that tell of a fault. */
  readonly faults: number;
  readonly from: string | undefined;
}

function report(measured: OpenMeasurement, { replaced, faults, from }: Seen): ScenarioReport {
  const { sent = 0, statuses = {}, acceptedAll } = measured.phases[0] ?? {};
  const accepted = statuses['200'] ?? 0;
  const refused = Object.entries(statuses).filter(([status]) => status !== '200');
  const versions = from === undefined ? 'one version' : `${from} and this version in turn`;
  return {
    tables: [
      {
        title: `replacement: ${versions}`,
        head: ['', 'calls'],
        rows: [
          ['sent', showNumber(sent)],
          ['answered 200', showNumber(accepted)],
          ...refused.map(([status, count]) => [`answered ${status}`, showNumber(count)]),
          ['connection broken', showNumber(measured.faults.broken)],
          ['not answered', showNumber(measured.faults.unanswered)],
          ['wrong bodies', showNumber(measured.faults.wrongBodies)],
          ['processes replaced', showNumber(replaced)],
          ['faults in the log', showNumber(faults)],
          ['p99 ms', showNumber(percentileMs(acceptedAll, 99))],
        ],
      },
    ],
    figures: { 'replacement.lost': [sent - accepted + measured.faults.wrongBodies] },
    pictures: [],
    notes: [],
    raw: { ...measured, replaced, faults },
  };
}

function countOf(service: Contestant, text: string): number {
  return service.log.split(text).length - 1;
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
