import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderTable } from '../../packages/tools/src/terminal/table.ts';
import type { Finished, ScenarioReport, Table } from '../scenarios/scenario.ts';
import { type Circumstances, describeCircumstances } from './circumstances.ts';
import { figuresOf, goalTable } from './goals.ts';
import { visitParagraph, visitTable } from './visit.ts';

const RESULTS = join(import.meta.dirname, '..', 'results');

/** Renders a table for the terminal. */
export function toText({ title, head, rows }: Table): string {
  return `${title}\n${renderTable(head, rows, (column) => column > 0)}`;
}

/** Writes report.md, results.json and the picture into a new folder. Returns the folder. */
export function writeResults(around: Circumstances, requestsCompared: number, finished: readonly Finished[]): string {
  const folder = join(RESULTS, around.startedAt.replaceAll(':', '-').slice(0, 19));
  mkdirSync(folder, { recursive: true });
  for (const { report } of finished) {
    if (report.picture) writeFileSync(join(folder, `${report.picture.name}.svg`), report.picture.svg);
  }
  writeFileSync(join(folder, 'report.md'), render(around, requestsCompared, finished));
  const scenarios = Object.fromEntries(finished.map(({ scenario, report }) => [scenario.name, report.raw]));
  const results = { around, figures: figuresOf(finished).values, scenarios };
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, undefined, 1)}\n`);
  return folder;
}

function render(around: Circumstances, requestsCompared: number, finished: readonly Finished[]): string {
  const figures = figuresOf(finished);
  return [
    '# Benchmark',
    '',
    ...describeCircumstances(around).map((line) => `- ${line}`),
    `- before: ${requestsCompared} requests were answered alike by the contestants that answer the contract`,
    '',
    ...(around.options.isVisit
      ? [toMarkdown(visitTable(finished)), `${visitParagraph(around, figures)}\n`]
      : [toMarkdown(goalTable(figures))]),
    ...finished.flatMap(({ scenario, report }) => [
      `## ${scenario.name}\n`,
      `${scenario.about}.\n`,
      ...report.tables.map(toMarkdown),
      ...notesOf(report).map((note) => `${note}\n`),
    ]),
  ].join('\n');
}

function toMarkdown({ title, head, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [`**${title}**`, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

function notesOf({ disturbedRounds = [], note, picture }: ScenarioReport): string[] {
  return [
    ...(disturbedRounds.length > 0
      ? [`† The host stood still, or served others, in round ${disturbedRounds.join(', ')}.`]
      : []),
    ...(note === undefined ? [] : [note]),
    ...(picture ? [`![Latency over percentile](${picture.name}.svg)`] : []),
  ];
}
