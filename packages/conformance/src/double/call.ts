import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { REQUEST_HEADERS } from '@loyalty/contract/headers';
import type { Judged, Received } from './contract-side.ts';
import type { SeenRequest } from './run.ts';
import { RUN_HEADER, readRun } from './run-name.ts';
import { codeOfLoyaltyId, MISBEHAVE_HEADER } from './table.ts';

/** A request as the double reads it, with the run that it belongs to. */
export interface Call extends Received {
  readonly run: string | undefined;
  /** The `format` of the query. */
  readonly format: string | undefined;
}

/** A request is read whole before it is judged, up to this size. */
const MAX_READ_BYTES = 1024 * 1024;

/** Reads a request to its end. */
export async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_READ_BYTES) chunks.push(chunk);
  }
  const [path = '', query] = (request.url ?? '').split('?');
  const headers = request.headers as Record<string, string | undefined>;
  return {
    ...readRun(path, headers[RUN_HEADER.toLowerCase()]),
    method: request.method ?? '',
    format: new URLSearchParams(query).get('format') ?? undefined,
    headers,
    body: Buffer.concat(chunks),
  };
}

/** What is recorded of a call at the moment of its answer. */
export function seenRequestOf(
  { run, path, headers, body }: Call,
  judged: Judged,
  facts: Pick<SeenRequest, 'code' | 'connection' | 'isSecure'>,
): SeenRequest {
  return {
    run,
    path,
    idempotencyKey: headers[REQUEST_HEADERS.idempotencyKey],
    requestId: headers[REQUEST_HEADERS.requestId],
    signature: headers[REQUEST_HEADERS.signature],
    named: headers[MISBEHAVE_HEADER.toLowerCase()] ?? namedBy(judged),
    refused: judged.kind === 'refused' ? judged.refusal.code : undefined,
    ...facts,
    ...{ atMs: performance.now(), at: new Date().toISOString() },
    bodyBytes: body.length,
    bodySha256: createHash('sha256').update(body).digest('hex'),
    supersedes: judged.kind === 'basket' ? judged.basket.supersedesCalculationId : undefined,
    event: judged.kind === 'sale' ? outcomeOf(judged.event) : undefined,
  };
}

function namedBy(judged: Judged): string | undefined {
  return judged.kind === 'basket' ? codeOfLoyaltyId(judged.basket.loyaltyId) : undefined;
}

function outcomeOf({ status, failureReason }: NonNullable<SeenRequest['event']>): SeenRequest['event'] {
  return { status, ...(failureReason !== undefined && { failureReason }) };
}
