import { INTERFACE_VERSION } from '@loyalty/contract/headers';
import type { Certificate, CheckResult, Verdict } from './certify.ts';
import { TARGET_P95_MS, TARGET_P99_MS } from './timings.ts';

/** The report in three forms: for the terminal, as Markdown beside a certificate, as JSON for machines. */

const SIGNS = { passed: '✓', failed: '✗', skipped: '–' } as const;

export function countOutcomes(results: readonly CheckResult[]): Record<CheckResult['outcome'], number> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}

/** One line while the kit runs; a failure says at once what was seen. */
export function renderLine({ name, section, title, outcome, seen }: CheckResult): string {
  const head = `${SIGNS[outcome]} ${name.padEnd(38)} §${section.padEnd(14)} ${title}`;
  if (outcome === 'passed') return `${head}\n`;
  return `${head}\n${seen.map((text) => `      ${text}\n`).join('')}`;
}

/** The last lines on the terminal. */
export function renderSummary(certificate: Certificate): string {
  const { passed, failed, skipped } = countOutcomes(certificate.results);
  return [
    '',
    ...(certificate.timings.length > 0 ? [...timingTable(certificate), ''] : []),
    ...leftOutLines(certificate),
    `${certificate.baseUrl}, interface ${INTERFACE_VERSION}, kit ${certificate.versions.kit}: ${VERDICTS[certificate.verdict]}. ` +
      `${passed} passed, ${failed} failed, ${skipped} skipped ` +
      `(${certificate.requests} requests in ${certificate.durationSeconds} s)`,
    '',
  ].join('\n');
}

/** Only a run that put every rule to the test says that the deployment conforms. */
const VERDICTS: Readonly<Record<Verdict, string>> = {
  conforms: 'conforms',
  partial: 'PARTIAL, which certifies nothing',
  'does not conform': 'does NOT conform',
};

/** What the run says nothing about, by reason. */
function leftOutLines({ leftOut }: Certificate): string[] {
  const byReason = Map.groupBy(leftOut, ({ because }) => because);
  const lines = [...byReason].map(([because, left]) => `  ${because}: ${left.map(({ name }) => name).join(', ')}`);
  return lines.length === 0 ? [] : ['Left out:', ...lines, ''];
}

/** The whole report as Markdown, to be attached to a certificate. */
export function renderMarkdown(certificate: Certificate): string {
  const { versions, command } = certificate;
  const { passed, failed, skipped } = countOutcomes(certificate.results);
  const rows = certificate.results.map(({ name, section, title, outcome, seen }) =>
    row([`\`${name}\``, title, section, outcome === 'failed' ? '**failed**' : outcome, seen.join('<br>')]),
  );
  return [
    '# Conformance report',
    '',
    row(['', '']),
    row(['---', '---']),
    row(['Deployment', certificate.baseUrl]),
    row(['Interface', versions.interface]),
    row(['Kit', `loyalty-basket-conformance ${versions.kit}, Node ${versions.node}`]),
    row(['Command', `\`${command}\``]),
    row(['Venue, terminal setup, currency', `${certificate.venueId}, ${certificate.baxId}, ${certificate.currency}`]),
    row(['Run', `${certificate.startedAt}, ${certificate.requests} requests in ${certificate.durationSeconds} s`]),
    row(['Result', `**${certificate.verdict}**: ${passed} passed, ${failed} failed, ${skipped} skipped`]),
    '',
    ...(certificate.leftOut.length > 0 ? ['## Left out', '', ...leftOutTable(certificate), ''] : []),
    '## Checks',
    '',
    'A section marked "decision" is one where the interface is open and the service\'s own decision is checked.',
    '',
    row(['Check', 'Rule', 'Section', 'Result', 'Seen']),
    row(['---', '---', '---', '---', '---']),
    ...rows,
    '',
    ...(certificate.timings.length > 0 ? ['## Response times', '', ...timingTable(certificate), ''] : []),
  ].join('\n');
}

/** The whole report as JSON. */
export function renderJson(certificate: Certificate): string {
  const outcomes = countOutcomes(certificate.results);
  return `${JSON.stringify({ interfaceVersion: INTERFACE_VERSION, outcomes, ...certificate }, null, 2)}\n`;
}

function leftOutTable({ leftOut }: Certificate): string[] {
  return [
    row(['Check', 'Because']),
    row(['---', '---']),
    ...leftOut.map(({ name, because }) => row([`\`${name}\``, because])),
  ];
}

function timingTable({ timings }: Certificate): string[] {
  return [
    `Targets: p95 ≤ ${TARGET_P95_MS} ms, p99 ≤ ${TARGET_P99_MS} ms. Milliseconds; one call after another, connection kept alive.`,
    '',
    row(['Lines', 'Calls', 'Measured', 'p50', 'p95', 'p99', 'max', 'Within targets']),
    row(['---:', '---:', '---', '---:', '---:', '---:', '---:', '---']),
    ...timings.map(({ lines, calls, measured, p50, p95, p99, max, isWithinTargets }) =>
      row([lines, calls, measured, p50, p95, p99, max, isWithinTargets ? 'yes' : 'no'].map(String)),
    ),
  ];
}

/** A cell may hold whatever a server sent: bars and line breaks would break the table. */
function row(cells: readonly string[]): string {
  const escaped = cells.map((cell) => cell.replaceAll('|', '\\|').replace(/[\r\n]+/g, ' '));
  return `| ${escaped.join(' | ')} |`;
}
