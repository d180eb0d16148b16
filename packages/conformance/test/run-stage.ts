/** A caller and a tester of one run of a double, for tests of what it records and how it judges. */
import { randomUUID } from 'node:crypto';
import { beforeEach } from 'vitest';
import { signatureOf } from '../../../test/support/signer.ts';
import { type ClientStage, SECRET, useDouble } from '../../client/test/fixture.ts';
import { CONTROL } from '../src/double/provocation.ts';
import type { SeenRequest } from '../src/double/run.ts';
import type { RowVerdict, Verdict } from '../src/double/verdict.ts';

export interface RunStage {
  readonly client: ClientStage;
  /** Each test has a run of its own, as a caller's tests that run at once have. */
  run: string;
  baseUrl: string;
  postBasket(basket: object, more?: Record<string, string>, base?: string, signal?: AbortSignal): Promise<Response>;
  /** Sends an event and returns the body of the answer. */
  postSale(event: object): Promise<unknown>;
  seenAt(base: string, headers?: Record<string, string>): Promise<SeenRequest[]>;
  rowOf(code: string): Promise<RowVerdict>;
}

/** A double for the file, and a run for each of its tests. */
export function useRuns(): RunStage {
  const client = useDouble();
  const stage: RunStage = {
    client,
    run: '',
    baseUrl: '',
    postBasket: (basket, more = {}, base = stage.baseUrl, signal) =>
      post(`${base}/v1/pos/basket`, basket, more, signal),
    postSale: async (event) => (await post(`${stage.baseUrl}/v1/pos/sale`, event)).json(),
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

export function saleOf(calculationId: string, transactionId: string) {
  return { calculationId, transactionId, status: 'applied' };
}

export function headersFor(body: string, key: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'POS-Signature': signatureOf(SECRET.toString('hex'), Buffer.from(body)),
    'Idempotency-Key': key,
    'X-Request-Id': randomUUID(),
    ...more,
  };
}

function post(
  url: string,
  value: object,
  more: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  const body = JSON.stringify(value);
  const { calculationId } = value as { calculationId: string };
  return fetch(url, { method: 'POST', headers: headersFor(body, calculationId, more), body, signal });
}
