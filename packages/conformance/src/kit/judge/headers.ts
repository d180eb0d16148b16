import { isJsonContentType, isUuidInAnyCase } from '@loyalty/contract/headers';
import { type Exchange, headerValues } from '../exchange.ts';

/** The headers that every answer carries (interface, section 4). */

const WITH_RETRY_AFTER: readonly number[] = [429, 503];
const MEASURING_TOLERANCE_MS = 5;

/** A header is there once, with a value that is right. */
function headerFaults(
  exchange: Exchange,
  name: string,
  expected: string,
  isRight: (value: string) => boolean,
): string[] {
  const values = headerValues(exchange, name);
  if (values.length === 1 && isRight(values[0]!)) return [];
  return [`${name}: expected ${expected}, found ${values.join(' and ').slice(0, 60) || 'nothing'}`];
}

/** `X-Request-Id`: an echo of the request's, or a UUID of the server's. */
export function requestIdFaults(exchange: Exchange): string[] {
  const faults = headerFaults(exchange, 'X-Request-Id', 'one UUID', isUuidInAnyCase);
  const isEchoDue = isUuidInAnyCase(exchange.requestId ?? '');
  if (faults.length > 0 || !isEchoDue) return faults;
  return headerFaults(exchange, 'X-Request-Id', 'the one of the request', (value) => value === exchange.requestId);
}

const SERVER_TIMING = /^app;dur=(\d+(?:\.\d+)?)(?:, .+)?$/;

/** `Server-Timing: app;dur=<ms>` comes first on every response; a server cannot have worked longer than the caller waited. */
export function serverTimingFaults(exchange: Exchange): string[] {
  const durationMs = serverTimingMs(exchange);
  const isTrue = durationMs === undefined || durationMs <= exchange.roundTripMs + MEASURING_TOLERANCE_MS;
  if (!isTrue)
    return [`Server-Timing: says ${durationMs} ms where the caller waited ${Math.ceil(exchange.roundTripMs)} ms`];
  return headerFaults(exchange, 'Server-Timing', 'app;dur=<ms>', (value) => SERVER_TIMING.test(value));
}

/** The time that the server states, in milliseconds; undefined without one. */
export function serverTimingMs(exchange: Exchange): number | undefined {
  const values = headerValues(exchange, 'Server-Timing');
  const match = values.length === 1 ? SERVER_TIMING.exec(values[0]!) : null;
  return match ? Number(match[1]) : undefined;
}

/** Bodies are JSON in UTF-8 and say so. */
export function contentTypeFaults(exchange: Exchange): string[] {
  const faults = headerFaults(exchange, 'Content-Type', 'application/json', isJsonContentType);
  if (exchange.method === 'HEAD')
    return exchange.bytes.length > 0 ? [...faults, 'body: an answer to HEAD has none'] : faults;
  return exchange.body === undefined ? [...faults, 'body: is not JSON in UTF-8'] : faults;
}

/** `Retry-After`: whole seconds, at least 1, on `429` and `503` and nowhere else. */
export function retryAfterFaults(exchange: Exchange): string[] {
  if (WITH_RETRY_AFTER.includes(exchange.status))
    return headerFaults(exchange, 'Retry-After', 'whole seconds from 1 on', (value) => /^[1-9]\d*$/.test(value));
  const isThere = headerValues(exchange, 'Retry-After').length > 0;
  return isThere ? [`Retry-After: is not due on ${exchange.status}`] : [];
}

/** `Strict-Transport-Security` with some duration; it is due over TLS alone. */
export function strictTransportFaults(exchange: Exchange): string[] | undefined {
  if (!exchange.isTls) return undefined;
  return headerFaults(exchange, 'Strict-Transport-Security', 'a max-age above 0', (value) =>
    /(?:^|;)\s*max-age="?[1-9]\d*"?\s*(?:;|$)/i.test(value),
  );
}

/** `Idempotent-Replayed` is `true` or absent. */
export function replayedFaults(exchange: Exchange): string[] {
  if (headerValues(exchange, 'Idempotent-Replayed').length === 0) return [];
  return headerFaults(exchange, 'Idempotent-Replayed', 'true', (value) => value === 'true');
}
