import { type Exchange, headerValues } from '../exchange.ts';
import { UUID_IN_ANY_CASE } from './fields.ts';

/** The headers that every answer carries (interface, section 4). */

const WITH_RETRY_AFTER: readonly number[] = [429, 503];
const MEASURING_TOLERANCE_MS = 5;

/** `X-Request-Id`: an echo of the request's, or a UUID of the server's. */
export function requestIdFaults(exchange: Exchange): string[] {
  const values = headerValues(exchange, 'X-Request-Id');
  if (values.length !== 1) return [`X-Request-Id: expected once, found ${values.length} times`];
  const [value = ''] = values;
  if (!UUID_IN_ANY_CASE.test(value)) return [`X-Request-Id: expected a UUID, found ${value.slice(0, 60)}`];
  const isEchoDue = UUID_IN_ANY_CASE.test(exchange.requestId ?? '');
  return isEchoDue && value !== exchange.requestId ? ['X-Request-Id: is not the one of the request'] : [];
}

/** `Server-Timing: app;dur=<ms>` comes first on every response; a server cannot have worked longer than the caller waited. */
export function serverTimingFaults(exchange: Exchange): string[] {
  const durationMs = serverTimingMs(exchange);
  if (durationMs === undefined) {
    const found = headerValues(exchange, 'Server-Timing').join(' and ') || 'nothing';
    return [`Server-Timing: expected app;dur=<ms>, found ${found.slice(0, 60)}`];
  }
  const waitedMs = Math.ceil(exchange.roundTripMs);
  return durationMs > exchange.roundTripMs + MEASURING_TOLERANCE_MS
    ? [`Server-Timing: says ${durationMs} ms where the caller waited ${waitedMs} ms`]
    : [];
}

/** The time that the server states, in milliseconds; undefined without one. */
export function serverTimingMs(exchange: Exchange): number | undefined {
  const values = headerValues(exchange, 'Server-Timing');
  const match = values.length === 1 ? /^app;dur=(\d+(?:\.\d+)?)(?:, .+)?$/.exec(values[0] ?? '') : null;
  return match ? Number(match[1]) : undefined;
}

/** Bodies are JSON in UTF-8 and say so. */
export function contentTypeFaults(exchange: Exchange): string[] {
  const faults: string[] = [];
  const [type = 'nothing', ...more] = headerValues(exchange, 'Content-Type');
  if (more.length > 0 || !/^application\/json(?:;\s*charset="?utf-8"?)?$/i.test(type)) {
    faults.push(`Content-Type: expected application/json, found ${type.slice(0, 60)}`);
  }
  if (exchange.method === 'HEAD') {
    if (exchange.bytes.length > 0) faults.push('body: an answer to HEAD has none');
  } else if (exchange.body === undefined) faults.push('body: is not JSON in UTF-8');
  return faults;
}

/** `Retry-After`: whole seconds, at least 1, on `429` and `503` and nowhere else. */
export function retryAfterFaults(exchange: Exchange): string[] {
  const values = headerValues(exchange, 'Retry-After');
  const isDue = WITH_RETRY_AFTER.includes(exchange.status);
  if (!isDue) return values.length === 0 ? [] : [`Retry-After: is not due on ${exchange.status}`];
  const isRight = values.length === 1 && /^[1-9]\d*$/.test(values[0] ?? '');
  return isRight ? [] : [`Retry-After: expected whole seconds from 1 on, found ${values.join(' and ') || 'nothing'}`];
}

/** `Strict-Transport-Security` with some duration; it is due over TLS alone. */
export function strictTransportFaults(exchange: Exchange): string[] | undefined {
  if (!exchange.isTls) return undefined;
  const values = headerValues(exchange, 'Strict-Transport-Security');
  const isRight = values.length === 1 && /(?:^|;)\s*max-age="?[1-9]\d*"?\s*(?:;|$)/i.test(values[0] ?? '');
  const found = values.join(' and ') || 'nothing';
  return isRight ? [] : [`Strict-Transport-Security: expected a max-age above 0, found ${found.slice(0, 60)}`];
}

/** `Idempotent-Replayed` is `true` or absent. */
export function replayedFaults(exchange: Exchange): string[] {
  const values = headerValues(exchange, 'Idempotent-Replayed');
  if (values.length === 0) return [];
  return values.length === 1 && values[0] === 'true' ? [] : [`Idempotent-Replayed: expected true, found ${values}`];
}
