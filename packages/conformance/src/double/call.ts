import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { REQUEST_HEADERS } from '@loyalty/contract/headers';
import type { Judged, Received } from './contract-side.ts';
import type { SeenRequest } from './run.ts';
import { codeOfLoyaltyId, MISBEHAVE_HEADER } from './table.ts';

/** A request as the double reads it, with the run that it belongs to. */
export interface Call extends Received {
  readonly run: string | undefined;
  /** The `format` of the query. */
  readonly format: string | undefined;
}

/** How a test names its run, so that tests that run at once do not see each other's requests. */
export const RUN_HEADER = 'X-Double-Run';

/** A path segment in front of the interface's or the double's own paths; `v1` and `double` are these paths themselves. */
const PREFIXED = /^\/(?!v1\/|double\/)([A-Za-z0-9._~-]{1,64})(\/(?:v1\/pos\/(?:basket|sale)|double\/[a-z]+))$/;
const NAME = /^[A-Za-z0-9._~-]{1,64}$/;

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
    named: headers[MISBEHAVE_HEADER.toLowerCase()] ?? namedBy(judged),
    refused: judged.kind === 'refused' ? judged.refusal.code : undefined,
    ...facts,
    ...{ atMs: performance.now(), at: new Date().toISOString() },
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

/** The run that a request names by its path or its header, and its path without that. */
function readRun(path: string, header: string | undefined): { run: string | undefined; path: string } {
  const prefixed = PREFIXED.exec(path);
  if (prefixed) return { run: prefixed[1], path: prefixed[2]! };
  return { run: header !== undefined && NAME.test(header) ? header : undefined, path };
}
