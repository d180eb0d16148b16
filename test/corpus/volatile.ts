/** All that differs between two recordings of the same behaviour, and what stands in its place. */
import { createHash } from 'node:crypto';
import type { Answer } from '../support/answer.ts';

/** Headers of the moment or of the transport; the length is seen in the body. */
const UNRECORDED_HEADERS = new Set(['date', 'server-timing', 'content-length', 'keep-alive', 'uwebsockets']);
/** The second half of a trace's name is of the service. */
const SPAN = /^(00-[0-9a-f]{32}-)[0-9a-f]{16}/;
const LONGEST_BODY = 6_000;

const MINUTE_MS = 60_000;
const STEP_MINUTES = 10;
/** Instants further off are a conversation's own, which names the years 2024 and 2031. */
const FURTHEST_MS = 420 * 24 * 60 * MINUTE_MS;

/** `name: value` by name, without those that tell nothing; the request's own ID is one of them. */
export function readableHeaders(answer: Answer, requestId: string | undefined): string {
  const told = answer.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const lines = told.filter(([name, value]) => !UNRECORDED_HEADERS.has(name) && value !== requestId);
  const replaced = lines.map(
    ([name, value]) => `${name}: ${name === 'x-request-id' ? '<chosen>' : value.replace(SPAN, '$1<chosen>')}`,
  );
  return replaced
    .sort()
    .join(' · ')
    .replace('content-type: application/json; charset=utf-8 · loyalty-interface: 0.1.0-draft', 'json');
}

/** The exact body; of a long one each line's length and hash, so that a difference still shows its place. */
export function readableBody(answer: Answer, requestId: string | undefined): string[] {
  const { bytes } = answer;
  const given = answer.header('x-request-id') ?? '';
  const text = given === requestId ? answer.text : answer.text.replaceAll(given, '<chosen>');
  const said = text.trimEnd();
  // An answer that ends its connection is filled up with blanks.
  if (said.length < text.length) return [said, `and ${text.length - said.length} blanks`];
  if (bytes.length <= LONGEST_BODY) return [text];
  const parts = text.split(/(?<=\}),(?=\{"lineId")/);
  const shortened = parts.map((part) =>
    part.length <= 100 ? part : `${part.length} ${digestOf(part).slice(0, 12)} ${part.slice(0, 24)}`,
  );
  return [`${bytes.length} bytes ${digestOf(bytes)}`, ...shortened];
}

/** Replaces instants near this moment by their distance from it, rounded to ten minutes, and the day by its name. */
export function withoutInstants(text: string): string {
  return (
    text
      .replace(
        /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g,
        (found) => nameOf(Date.parse(found)) ?? found,
      )
      .replace(/(?<![\d.])0?[12]\d{12}(?!\d)/g, (found) => nameOf(Number(found)) ?? found)
      .replace(/\b(\d{4}-\d\d-\d\d) \d\d:\d\d:\d\d/g, (found, day: string) => (isToday(day) ? '<today, now>' : found))
      .replace(/\b\d{4}-\d\d-\d\d\b(?!T)/g, (found) => (isToday(found) ? '<today>' : found))
      // In a book of vouchers, the quarter of an hour in which something was booked; a hash in hex may begin as it does.
      .replace(/\b\d{7}(?=[gue]-?\d+(?:[~ ]|$))/gm, '<quarter>')
  );
}

/** A lifetime in milliseconds as Redis gives it. */
export function lifetimeOf(ttlMs: number): string {
  return ttlMs < 0 ? 'permanent' : `for ${nameOf(Date.now() + ttlMs)}`;
}

function nameOf(instantMs: number): string | undefined {
  const awayMs = instantMs - Date.now();
  if (Math.abs(awayMs) > FURTHEST_MS) return undefined;
  const minutes = Math.round(awayMs / MINUTE_MS / STEP_MINUTES) * STEP_MINUTES;
  if (minutes === 0) return '<now>';
  const [days, rest] = [Math.trunc(minutes / 1440), Math.abs(minutes % 1440)];
  return `<${minutes < 0 ? '-' : '+'}${Math.abs(days)}d${String(Math.trunc(rest / 60)).padStart(2, '0')}:${String(rest % 60).padStart(2, '0')}>`;
}

/** Whether it was this day a moment ago, by some clock of the world. */
function isToday(day: string): boolean {
  return Math.abs(Date.parse(`${day}T12:00:00Z`) - Date.now()) < 27 * 60 * MINUTE_MS;
}

/** The name of a text in hexadecimal digits. */
export function digestOf(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
