/** What a caller must do on the wire (interface, sections 4 to 6), judged by what reached the double. */
import type { SaleEvent } from '@loyalty/contract/sale';
import type { SeenRequest } from '../../../conformance/src/double/service-double.ts';
import { MISBEHAVIOURS } from '../../../conformance/src/double/table.ts';

export interface Arrived
  extends Pick<
    SeenRequest,
    'path' | 'idempotencyKey' | 'requestId' | 'signature' | 'code' | 'refused' | 'connection' | 'atMs'
  > {
  readonly body: string;
}

/** The calculations of a run by what happened to them. */
export interface Courses {
  readonly first: string;
  readonly second: string;
  readonly abandoned: string;
  readonly offline: string;
}

/** An order as far as its event tells of it. */
export interface Order {
  readonly calculationId: string;
  readonly status: string;
  readonly failureReason?: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** `Retry-After: 1`, less the millisecond by which a timer may be early. */
const RETRY_AFTER_MS = 990;
/** A call in the same turn as an answer finds that connection still busy. */
const MOST_CONNECTIONS = 2;

/** Every rule that was broken, one sentence each. */
export function findWireFaults(arrived: readonly Arrived[], orders: readonly Order[], courses: Courses): string[] {
  return [
    ...requestFaults(arrived),
    ...basketFaults(basketsOf(arrived), courses),
    ...orders.flatMap((order) => eventFaults(eventsOf(arrived, order.calculationId), order)),
    ...courseFaults(arrived, courses),
  ];
}

/** The double refuses a wrong signature, key, header, schema or sum; each attempt has a request ID of its own. */
function requestFaults(arrived: readonly Arrived[]): string[] {
  const ids = arrived.map(({ requestId }) => requestId ?? '');
  return [
    ...arrived.flatMap(({ refused, path }) => (refused === undefined ? [] : [`${path} was refused: ${refused}`])),
    ...ids.filter((id, index) => !UUID.test(id) || ids.indexOf(id) < index).map((id) => `request ID ${id}`),
  ];
}

/** Nothing that reached the service is sent again, and calls share their connections. */
function basketFaults(baskets: readonly Arrived[], { first, second, abandoned }: Courses): string[] {
  const keys = baskets.map(({ idempotencyKey }) => idempotencyKey ?? '');
  const repeated = keys.filter((key, index) => keys.indexOf(key) < index);
  const honest = baskets.filter(({ idempotencyKey }) => [first, second, abandoned].includes(idempotencyKey ?? ''));
  const connections = new Set(honest.map(({ connection }) => connection)).size;
  const [changed] = honest.filter(({ idempotencyKey }) => idempotencyKey === second);
  const { supersedesCalculationId } = JSON.parse(changed?.body ?? '{}') as { supersedesCalculationId?: string };
  return [
    ...repeated.map((key) => `the basket ${key} was sent again`),
    ...(connections > MOST_CONNECTIONS ? [`${honest.length} calls had ${connections} connections`] : []),
    ...(supersedesCalculationId === first && first !== second
      ? []
      : ['the second basket does not supersede the first']),
  ];
}

/** One event per calculation: always the same one, signed anew, as often as its answers ask for it. */
function eventFaults(events: readonly Arrived[], order: Order): string[] {
  const about = `the event of ${events[0]?.code ?? order.calculationId}`;
  const [bodies, signatures] = [
    new Set(events.map(({ body }) => body)),
    new Set(events.map((event) => event.signature)),
  ];
  const event = JSON.parse(events[0]?.body ?? '{}') as Partial<SaleEvent>;
  const gaps = events.slice(1).map(({ atMs }, index) => atMs - events[index]!.atMs);
  const row = MISBEHAVIOURS[events[0]?.code ?? ''];
  const isPatient = row?.act.kind === 'refusal' && ['rate_limited', 'unavailable'].includes(row.act.code);
  const isStopped = row?.endpoint === 'sale' && row.right === 'stopped';
  const faults = {
    'was never sent': events.length === 0,
    'changed between attempts': bodies.size > 1,
    'tells another status or reason': event.status !== order.status || event.failureReason !== order.failureReason,
    'came before Retry-After': isPatient && gaps.some((gapMs) => gapMs < RETRY_AFTER_MS),
    'was not signed anew': isPatient && signatures.size < events.length,
    'was sent again after a final refusal': isStopped && events.length > 1,
  };
  return Object.entries(faults).flatMap(([fault, isFound]) => (isFound ? [`${about} ${fault}`] : []));
}

/** A superseded calculation has no event, an abandoned payment is cancelled, an offline order says so. */
function courseFaults(arrived: readonly Arrived[], { first, abandoned, offline }: Courses): string[] {
  const said = (calculationId: string) => JSON.parse(eventsOf(arrived, calculationId)[0]?.body ?? '{}') as object;
  const [cancelled, late] = [said(abandoned), said(offline)] as Partial<SaleEvent>[];
  return [
    ...(eventsOf(arrived, first).length > 0 ? ['the superseded calculation has an event'] : []),
    ...(cancelled?.status === 'cancelled' ? [] : ['the abandoned payment is not cancelled']),
    ...(late?.status === 'failed' && late.failureReason === 'offline' ? [] : ['the offline order does not say so']),
  ];
}

function basketsOf(arrived: readonly Arrived[]): Arrived[] {
  return arrived.filter(({ path }) => path.endsWith('/basket'));
}

function eventsOf(arrived: readonly Arrived[], calculationId: string): Arrived[] {
  return arrived.filter(({ path, idempotencyKey: key }) => path.endsWith('/sale') && key === calculationId);
}
