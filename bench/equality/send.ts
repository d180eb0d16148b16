import { createHmac } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { JSON_CONTENT_TYPE } from '@loyalty/contract/headers';
import type { Case } from './cases.ts';

/** The compared parts of an answer. */
export interface SeenAnswer {
  readonly status: number;
  /** The parsed body without the request ID; for a parser's fault the code alone. */
  readonly body: unknown;
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string>>;
}

const REQUEST_ID = '11111111-1111-4111-8111-111111111111';
const STALE_SECONDS = 301;

/** Sends a case, signed with `secret` (hex) over the sent bytes. */
export async function sendCase(url: string, secret: string, sent: Case): Promise<SeenAnswer> {
  const bytes = Buffer.from(typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body));
  const key = sent.key === undefined ? (sent.body as { calculationId?: string }).calculationId : sent.key;
  const headers = {
    'Content-Type': sent.contentType ?? JSON_CONTENT_TYPE,
    'Content-Length': String(bytes.length),
    'X-Request-Id': REQUEST_ID,
    ...(typeof key === 'string' && { 'Idempotency-Key': key }),
    ...signatureOf(secret, bytes, sent.signature),
  };
  const { status, headers: received, body } = await exchange(url, sent, headers, bytes);
  return {
    status,
    body: comparable(body.toString(), sent.isParserFault === true),
    bytes: body.length,
    headers: contractHeaders(received, sent.isParserFault === true),
  };
}

function signatureOf(secret: string, body: Buffer, fault: Case['signature']): Record<string, string> {
  if (fault === 'none') return {};
  if (fault === 'garbled') return { 'POS-Signature': 'v1=none' };
  const t = Math.floor(Date.now() / 1000) - (fault === 'stale' ? STALE_SECONDS : 0);
  const key = Buffer.from(
    fault === 'wrong' ? secret.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) : secret,
    'hex',
  );
  const digest = createHmac('sha256', key).update(`${t}.`).update(body).digest('hex');
  return { 'POS-Signature': `t=${t},v1=${digest}` };
}

interface Exchanged {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Sends one request. The answer counts even if it comes, and the connection ends, before the request was sent
 * completely.
 */
function exchange(url: string, sent: Case, headers: Record<string, string>, bytes: Buffer): Promise<Exchanged> {
  const { hostname, port } = new URL(url);
  const options = { hostname, port, method: sent.method ?? 'POST', path: sent.path ?? '/v1/pos/basket', headers };
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...options, agent: false }, (incoming: IncomingMessage) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

function comparable(text: string, isParserFault: boolean): unknown {
  const body = JSON.parse(text) as { error?: { code: string; requestId?: string } };
  if (!body.error) return body;
  const { requestId: _own, ...error } = body.error;
  return isParserFault ? { error: { code: error.code } } : { error };
}

/** Selects the headers of the interface; of the processing time only its presence is compared. */
function contractHeaders(headers: IncomingHttpHeaders, isParserFault: boolean): Record<string, string> {
  const names = ['content-type', 'x-request-id', 'idempotent-replayed', 'retry-after', 'allow'];
  const seen = Object.fromEntries(
    names.map((name) => [name, headers[name]]).filter(([, value]) => value !== undefined),
  );
  const timing = /^app;dur=[\d.]+/.test(String(headers['server-timing'])) ? 'app;dur=…' : 'missing';
  return isParserFault ? {} : { ...seen, 'server-timing': timing };
}
