/** A caller and a tester of one run of a double, for tests of what it records and how it judges. */
import { randomUUID } from 'node:crypto';
import { beforeEach } from 'vitest';
import { signatureOf } from '../../../test/support/signer.ts';
import { until } from '../../../test/support/wait.ts';
import { type ClientStage, richBasket, SECRET, useDouble } from '../../client/test/fixture.ts';
import { CONTROL } from '../src/double/provocation.ts';
import type { SeenRequest } from '../src/double/run.ts';
import type { RowVerdict, Verdict } from '../src/double/verdict.ts';

type Headers = Record<string, string>;

export interface RunStage {
  readonly client: ClientStage;
  /** Each test has a run of its own, as a caller's tests that run at once have. */
  run: string;
  baseUrl: string;
  postBasket(basket: object, more?: Headers, base?: string, signal?: AbortSignal): Promise<Response>;
  /** Makes a call that meets a row, or none, and returns its calculation ID. */
  call(code: string, more?: object): Promise<string>;
  /** Reports a sale, by default as applied, and returns the body of the answer; undefined where it is no JSON. */
  report(calculationId: string, outcome?: object): Promise<unknown>;
  cancel(calculationId: string): Promise<unknown>;
  /** Makes an attempt of a call whose connection is cut in the handshake, or whose caller trusts nobody. */
  handshake(): Promise<unknown>;
  seenAt(base: string, headers?: Headers): Promise<SeenRequest[]>;
  rowOf(code: string): Promise<RowVerdict>;
}

/** A double for the file, and a run for each of its tests. */
export function useRuns(): RunStage {
  const client = useDouble();
  const postSale = (event: object): Promise<unknown> =>
    post(stage.baseUrl, event, {}, '/v1/pos/sale')
      .then((answer) => answer.json())
      .catch(() => undefined);
  const stage: RunStage = {
    client,
    run: '',
    baseUrl: '',
    postBasket: (basket, more, base = stage.baseUrl, signal) => post(base, basket, more, undefined, signal),
    call: async (code, more = {}) => {
      const basket = { ...richBasket(code === 'honest' ? 'member' : `misbehave-${code}`), ...more };
      await stage.postBasket(basket).catch(() => undefined);
      return basket.calculationId;
    },
    report: (calculationId, outcome = {}) =>
      postSale({ calculationId, transactionId: 'r-1', status: 'applied', ...outcome }),
    cancel: (calculationId) => postSale({ calculationId, status: 'cancelled' }),
    handshake: () => fetch(client.double.secureBaseUrl, { method: 'POST' }).catch(() => undefined),
    seenAt: async (base, headers = {}) =>
      (await fetch(base + CONTROL.seen, { headers })).json() as Promise<SeenRequest[]>,
    rowOf: async (code) => {
      const verdict = (await (await fetch(stage.baseUrl + CONTROL.verdict)).json()) as Verdict;
      return verdict.rows.find((row) => row.code === code)!;
    },
  };
  beforeEach(() => {
    stage.run = `run-${randomUUID()}`;
    stage.baseUrl = `${client.double.baseUrl}/${stage.run}`;
  });
  return stage;
}

export function headersFor(body: string, key: string, more: Headers = {}): Headers {
  return {
    'Content-Type': 'application/json',
    'POS-Signature': signatureOf(SECRET.toString('hex'), Buffer.from(body)),
    'Idempotency-Key': key,
    'X-Request-Id': randomUUID(),
    ...more,
  };
}

/** Sends a basket or an event to the double, signed as the interface wants it. */
export function post(
  base: string,
  value: object,
  more: Headers = {},
  path = '/v1/pos/basket',
  signal: AbortSignal | null = null,
): Promise<Response> {
  const body = JSON.stringify(value);
  const { calculationId } = value as { calculationId: string };
  return fetch(base + path, { method: 'POST', headers: headersFor(body, calculationId, more), body, signal });
}

/** Resolves when a double that refuses connections takes them again. */
export function untilBack(base: string): Promise<boolean> {
  const isThere = () => fetch(base + CONTROL.table).then(({ ok }) => ok);
  return until('the double to be back', () => isThere().catch(() => false));
}
