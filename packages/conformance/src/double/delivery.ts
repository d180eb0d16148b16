import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { HTTP_OK, type Refusal, renderError } from '@loyalty/contract/errors';
import { JSON_CONTENT_TYPE, RESPONSE_HEADERS } from '@loyalty/contract/headers';
import type { Delivery } from './misbehaviour.ts';

/** An answer on its way: headers without its length, and the body. */
export interface Parcel {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const JSON_HEADERS = { [RESPONSE_HEADERS.contentType]: JSON_CONTENT_TYPE };
const LATE_MS = 900;
const JUST_IN_TIME_MS = 250;
const SLOW_PIECE_BYTES = 8;
const SLOW_PIECE_EVERY_MS = 50;
const IN_TIME_PIECES = 20;
const IN_TIME_EVERY_MS = 10;

/** A value as JSON, with 200. */
export function jsonParcel(value: unknown, headers: Parcel['headers'] = JSON_HEADERS): Parcel {
  return { status: HTTP_OK, headers, body: Buffer.from(JSON.stringify(value)) };
}

/** A refusal as it goes out, with Retry-After where the interface wants it. */
export function refusalParcel(refusal: Refusal, requestId: string, headers: Parcel['headers'] = JSON_HEADERS): Parcel {
  const { status, retryAfterSeconds: seconds } = refusal;
  const wait = seconds === undefined ? {} : { [RESPONSE_HEADERS.retryAfter]: String(seconds) };
  return { status, headers: { ...headers, ...wait }, body: Buffer.from(renderError(refusal, requestId)) };
}

/** Sends an answer whole, as a service does. */
export function send(response: ServerResponse, { status, headers, body }: Parcel): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, 'Content-Length': String(body.length) });
  response.end(body);
}

/** Sends an answer in one of the ways that a caller must withstand. Resolves when nothing more will come. */
export async function deliver(response: ServerResponse, how: Delivery, parcel: Parcel): Promise<void> {
  const { socket } = response;
  const { body } = parcel;
  switch (how) {
    case 'late':
      await pause(LATE_MS);
      return send(response, parcel);
    case 'just-in-time':
      await pause(JUST_IN_TIME_MS);
      return send(response, parcel);
    case 'hang':
      return;
    case 'hang-after-head':
      return begin(response, parcel);
    case 'slow-bytes':
      begin(response, parcel);
      return trickle(response, body, SLOW_PIECE_BYTES, SLOW_PIECE_EVERY_MS);
    case 'slow-bytes-in-time':
      begin(response, parcel);
      return trickle(response, body, Math.ceil(body.length / IN_TIME_PIECES), IN_TIME_EVERY_MS);
    case 'cut':
      begin(response, parcel);
      response.write(half(body), () => socket?.destroy());
      return;
    case 'cut-without-length':
      socket?.end(Buffer.concat([headWithoutLength(parcel), half(body)]));
      return;
    case 'close':
      socket?.end();
      return;
    case 'reset':
      socket?.resetAndDestroy();
      return;
    case 'garbage':
      socket?.end('220 mail.example ESMTP ready\r\n');
      return;
  }
}

function begin(response: ServerResponse, { status, headers, body }: Parcel): void {
  response.writeHead(status, { ...headers, 'Content-Length': String(body.length) });
  response.flushHeaders();
}

/**
 * The last piece ends the response. Were it ended later, the caller would have its whole answer while the connection
 * still counts as busy, and a next request on it would wait.
 */
async function trickle(response: ServerResponse, body: Buffer, pieceBytes: number, everyMs: number): Promise<void> {
  const last = Math.max(0, body.length - pieceBytes);
  let at = 0;
  for (; at < last && !response.destroyed; at += pieceBytes) {
    response.write(body.subarray(at, at + pieceBytes));
    await pause(everyMs);
  }
  response.end(body.subarray(at));
}

function half(body: Buffer): Buffer {
  return body.subarray(0, body.length >> 1);
}

/** The end of the connection is the end of such a body, so a cut looks like an answer until its JSON is read. */
function headWithoutLength({ headers }: Parcel): Buffer {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`HTTP/1.1 ${HTTP_OK} OK\r\n${lines.join('\r\n')}\r\n\r\n`);
}
