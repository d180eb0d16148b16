import { ERRORS, type ErrorCode, TRANSPORT_STATUS } from '@loyalty/contract/errors';
import {
  APPLIED,
  type BasketMisbehaviour,
  basketRow,
  CONNECTION_ERROR,
  type Delivery,
  HTTP_ERROR,
  INVALID,
  type RightOutcome,
  TIMEOUT,
} from './misbehaviour.ts';

/** Misbehaviour below the answer's content: bytes, status, delivery, connection. */

/** Statuses that the interface lacks and proxies answer. */
const FOREIGN = { noContent: 204, found: 302, badGateway: 502, gatewayTimeout: 504 } as const;

function bytes(what: string, change: (honest: Buffer) => Buffer, headers?: Record<string, string>): BasketMisbehaviour {
  return basketRow(what, { kind: 'bytes', bytes: change, ...(headers && { headers }) }, INVALID);
}

function delivery(what: string, how: Delivery, ...right: RightOutcome[]): BasketMisbehaviour {
  return basketRow(what, { kind: 'delivery', how }, right);
}

function transport(status: number): BasketMisbehaviour {
  return basketRow(`${status} with the Error body`, { kind: 'refusal', code: 'invalid_request', status }, HTTP_ERROR);
}

function foreign(what: string, status: number, headers: Record<string, string> = {}): BasketMisbehaviour {
  return basketRow(what, { kind: 'foreign', status, headers }, HTTP_ERROR);
}

/** One row for every code of the catalogue: `error-rate_limited` and so on. */
const REFUSALS = Object.fromEntries(
  (Object.keys(ERRORS) as ErrorCode[]).map((code): [string, BasketMisbehaviour] => [
    `error-${code}`,
    basketRow(`${ERRORS[code].status} ${code}`, { kind: 'refusal', code }, HTTP_ERROR),
  ]),
);

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const HUGE_BYTES = 8 * 1024 * 1024;
const HTML = Buffer.from('<!doctype html><title>Sign in</title><p>Welcome to the shop network');

export const WIRE_TABLE: Readonly<Record<string, BasketMisbehaviour>> = {
  'malformed-json': bytes('the last brace is missing', (honest) => honest.subarray(0, -1)),
  'empty-body': bytes('the body is empty', () => Buffer.alloc(0)),
  'invalid-utf-8': bytes('a byte in a text is not UTF-8', (honest) => {
    const at = honest.indexOf('calculationId');
    const copy = Buffer.from(honest);
    copy[at] = 0xff;
    return copy;
  }),
  'byte-order-mark': bytes('the body begins with a byte order mark', (honest) =>
    Buffer.concat([BYTE_ORDER_MARK, honest]),
  ),
  'wrong-content-type': bytes('the right body as text/plain', (honest) => honest, { 'Content-Type': 'text/plain' }),
  'captive-portal': bytes('200 with an HTML page', () => HTML, { 'Content-Type': 'text/html' }),
  'huge-body': bytes('8 MB of blanks before the body', (honest) =>
    Buffer.concat([Buffer.alloc(HUGE_BYTES, 0x20), honest]),
  ),
  ...REFUSALS,
  'body-too-large': transport(TRANSPORT_STATUS.bodyTooLarge),
  'not-found': transport(TRANSPORT_STATUS.notFound),
  'bad-gateway': foreign("502 with a proxy's page", FOREIGN.badGateway),
  'gateway-timeout': foreign("504 with a proxy's page", FOREIGN.gatewayTimeout),
  'no-content': foreign('204 without a body', FOREIGN.noContent),
  redirect: foreign('302 to another path, which is not followed', FOREIGN.found, { Location: '/v1/pos/basket' }),
  late: delivery('the right answer after 900 ms', 'late', TIMEOUT),
  hang: delivery('no answer, and the connection stays open', 'hang', TIMEOUT),
  'hang-after-head': delivery('the head of an answer, and then nothing', 'hang-after-head', TIMEOUT),
  'slow-bytes': delivery('the right answer, a few bytes every 50 ms', 'slow-bytes', TIMEOUT),
  'just-in-time': delivery('the right answer after 250 ms', 'just-in-time', APPLIED),
  'slow-bytes-in-time': delivery('the right answer in 20 pieces over 200 ms', 'slow-bytes-in-time', APPLIED),
  cut: delivery('the connection ends in the middle of the body', 'cut', CONNECTION_ERROR),
  'cut-without-length': delivery(
    'a body without a length ends in the middle',
    'cut-without-length',
    INVALID,
    CONNECTION_ERROR,
  ),
  'close-after-request': delivery('the connection ends without an answer', 'close', CONNECTION_ERROR),
  'reset-after-request': delivery('the connection is reset without an answer', 'reset', CONNECTION_ERROR),
  'not-http': delivery('bytes that are no HTTP', 'garbage', INVALID, CONNECTION_ERROR),
  'refuse-connections': basketRow(
    'for 1 s every new connection is refused; old ones are closed. Arm it before the call',
    { kind: 'connection', how: 'refuse', forMs: 1000 },
    CONNECTION_ERROR,
    'retry once with the same key, then keep its basket; failed, connection_error',
  ),
  'refuse-once': basketRow(
    'for 40 ms every new connection is refused; old ones are closed. Arm it before the call',
    { kind: 'connection', how: 'refuse', forMs: 40 },
    [APPLIED, CONNECTION_ERROR],
    'retry once with the same key, 50 ms later or more: applied; a retry within the 40 ms fails too: failed, connection_error',
  ),
  'reset-connection': basketRow(
    'the next connection is reset as soon as it is there; old ones are closed. Arm it before the call',
    { kind: 'connection', how: 'reset', forMs: 1000 },
    [APPLIED, CONNECTION_ERROR],
    'retry once with the same key if nothing was sent yet, else not: applied, or failed with connection_error',
  ),
  'tls-cut-handshake': basketRow(
    'the connection ends in the TLS handshake, every time. Arm it, and make the call to the https address of the same port',
    { kind: 'connection', how: 'cut-handshake' },
    CONNECTION_ERROR,
    'retry once with the same key, within 3 s, then keep its basket; failed, connection_error',
  ),
  'tls-untrusted': basketRow(
    'the TLS certificate is signed by nobody and names another host. Arm it, and make the call to the https address of the same port',
    { kind: 'connection', how: 'untrusted' },
    [CONNECTION_ERROR, TIMEOUT],
    'send nothing, keep its basket; failed, connection_error or timeout',
  ),
};
