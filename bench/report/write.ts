import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finished, ScenarioReport } from '../scenarios/scenario.ts';
import { type Circumstances, describeCircumstances } from './circumstances.ts';
import { type Figures, goalTable } from './goals.ts';
import { toMarkdown } from './table.ts';
import { visitParagraph, visitTable } from './visit.ts';

const RESULTS = join(import.meta.dirname, '..', 'results');

/** Writes report.md, results.json and the picture into a new folder. Returns the folder. */
export async function writeResults(
  around: Circumstances,
  requestsCompared: number,
  finished: readonly Finished[],
): Promise<string> {
  const folder = join(RESULTS, around.startedAt.replaceAll(':', '-').slice(0, 19));
  mkdirSync(folder, { recursive: true });
  for (const { report } of finished) {
    if (report.picture) writeFileSync(join(folder, `${report.picture.name}.svg`), report.picture.svg);
  }
  writeFileSync(join(folder, 'report.md'), render(around, requestsCompared, finished));
  const results = { around, figures: figuresOf(finished).values, scenarios: rawOf(finished) };
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, undefined, 1)}\n`);
  return folder;
}

/** Collects the figures of all scenarios by name. */
export function figuresOf(finished: readonly Finished[]): Figures {
  const disturbed = finished.filter(({ report }) => (report.disturbedRounds ?? []).length > 0);
  return {
    values: Object.assign({}, ...finished.map(({ report }) => report.figures)),
    disturbed: new Set(disturbed.flatMap(({ report }) => Object.keys(report.figures))),
  };
}

/** A sentence about the rounds in which the host stood still; nothing when there were none. */
function noteDisturbed({ disturbedRounds = [] }: ScenarioReport): string[] {
  if (disturbedRounds.length === 0) return [];
  return [`† The host stood still, or served others, in round ${disturbedRounds.join(', ')}.\n`];
}

function rawOf(finished: readonly Finished[]): Record<string, unknown> {
  return Object.fromEntries(finished.map(({ scenario, report }) => [scenario.name, report.raw]));
}

function render(around: Circumstances, requestsCompared: number, finished: readonly Finished[]): string {
  return [
    '# Benchmark',
    '',
    ...describeCircumstances(around).map((line) => `- ${line}`),
    `- before: ${requestsCompared} requests were answered alike by the contestants that answer the contract`,
    '',
    ...(around.options.isVisit
      ? [toMarkdown(visitTable(finished)), `${visitParagraph(around, figuresOf(finished))}\n`]
      : [toMarkdown(goalTable(figuresOf(finished)))]),
    ...finished.flatMap(({ scenario, report }) => [
      `## ${scenario.name}`,
      '',
      `${scenario.about}.`,
      '',
      ...report.tables.map(toMarkdown),
      ...noteDisturbed(report),
      ...report.notes.map((note) => `${note}\n`),
      ...(report.picture ? [`![Latency over percentile](${report.picture.name}.svg)\n`] : []),
    ]),
  ].join('\n');
}
