import type { LocatedFault, Place } from '../../../../../src/programme/configuration-error.ts';
import type { RefusalNote } from '../../../../../src/telemetry/recent-refusals.ts';
import type { CommonLimitState } from '../../common-limit-states.ts';
import type { LiveFigures } from '../../live/figures.ts';

/** The service's terms in words for people who do not read its source. */

type Details = Pick<RefusalNote, 'message' | 'field' | 'expected' | 'received'>;

const REFUSED = 'The configuration on disk was rejected, and the previous one remains in effect';

/** What a refusal says beside its message: the field with what was expected and received, unless the message has it already. */
export function detailsOf({ message, field, expected, received }: Details): string {
  if (field === undefined || message.includes(field)) return '';
  const found = received === undefined ? '' : `, received ${received}`;
  return expected === undefined ? ` ${field}` : ` ${field}: expected ${expected}${found}.`;
}

/** True while callers get no benefits, as far as the page knows. */
export function isDown(figures: LiveFigures | undefined, isOld: boolean) {
  return figures !== undefined && (isOld || Object.keys(figures.red).length > 0);
}

/** Describes the service's state in a sentence or two. */
export function describeState(figures: LiveFigures | undefined, isOld: boolean) {
  if (!figures) return { text: 'Waiting for the service', isBad: false };
  if (isOld) return { text: 'The service does not answer: these figures are old', isBad: true };
  const red = Object.entries(figures.red).map(([check, reason]) => `${check}: ${reason}`);
  const errors = figures.facts?.configuration;
  const refused = errors ? `. ${REFUSED}:\n${errors}` : figures.isConfigurationRefused ? `. ${REFUSED}` : '';
  // A weak setting is an operator's choice: readiness and the metric show it, and nobody has to act.
  const facts = Object.entries(figures.facts ?? {}).flatMap(([name, fact]) =>
    name === 'weakSettings' || name === 'configuration' ? [] : [`. ${fact}`],
  );
  const also = `${facts.join('')}${refused}`;
  if (red.length > 0) return { text: `Not ready. ${red.join('; ')}${also}`, isBad: true };
  return { text: `Ready${also}`, isBad: also !== '' };
}

/** Describes what becomes of a limit over all members if it goes on as until now. */
export function describePace({ left, runsOutOn, endsOn, since, period }: CommonLimitState) {
  if (left <= 0) return 'used up';
  if (runsOutOn !== undefined) return `runs out on ${runsOutOn}`;
  if (endsOn !== undefined) return `not used up at the end of its campaign, ${endsOn}`;
  if (since === undefined) return 'nothing used yet';
  return period === '*' ? 'lasts for years' : 'lasts for the period';
}

/** An error of a draft in words, with its place. */
export function wordsOfFault(fault: LocatedFault): string {
  const { found, allowed, nearest } = fault;
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `${describePlace(fault)} found ${found}, allowed: ${allowed}${meant}`;
}

export function wordsOfWarning(warning: Place & { text: string }): string {
  return `${describePlace(warning)} ${warning.text}`;
}

function describePlace({ file, line, column, path }: Place) {
  const position = line === undefined ? '' : `:${line}:${column}`;
  return `${file}${position}:${path === '' ? '' : ` ${path}:`}`;
}
