/**
 * HTTP framing that front ends and back ends have read in two ways. Whatever the service makes of it, it must not price
 * a body it misread, must not answer twice, and must go on living. Every request here is signed rightly for the body that
 * a lenient reader would find, so that only the framing stands between it and a 200.
 */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf } from '../support/caller.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { useSharedService } from '../support/shared-service.ts';
import { signatureOf } from '../support/signer.ts';
import { until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';

const stage = useSharedService();

/** The service's transport gives a silent connection up after 10 to 12 s. */
const CUT_OFF_MS = 15_000;

interface Parts {
  readonly body: string;
  /** The length of the body in decimal. */
  readonly n: number;
  /** The body as one right chunk and the end. */
  readonly chunked: string;
  /** The headers that a right request has, except for those that frame it. */
  readonly head: string;
}

type Make = (parts: Parts) => string;
const LINE = `POST ${BASKET_PATH} HTTP/1.1\r\n`;
const HOST = 'Host: x\r\n';

/** A request whose body is framed by `make`. */
function inChunks(make: Make): Make {
  return (parts) => `${LINE}${HOST}${parts.head}Transfer-Encoding: chunked\r\n\r\n${make(parts)}`;
}

function partsFor(basket: BasketBody): Parts {
  const body = bytesOf(basket).toString('latin1');
  const head =
    `Content-Type: application/json\r\nIdempotency-Key: ${basket.calculationId}\r\n` +
    `POS-Signature: ${signatureOf(stage.caller.secret, Buffer.from(body, 'latin1'))}\r\n`;
  return { body, n: body.length, chunked: `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`, head };
}

afterEach(async () => {
  expect(stage.service.isAlive).toBe(true);
  expect((await stage.caller.basket(basketOf())).status).toBe(200);
});

test('the right form of each is answered 200', async () => {
  const right: Make[] = [
    ({ head, n, body }) => `${LINE}${HOST}${head}Content-Length: ${n}\r\n\r\n${body}`,
    ({ head, chunked }) => `${LINE}${HOST}${head}Transfer-Encoding: chunked\r\n\r\n${chunked}`,
  ];
  for (const make of right) {
    expect(await answersInTime(make)).toEqual([200]);
  }
});

const frames: Record<string, [string, Make][]> = {
  'Content-Length and Transfer-Encoding': [
    [
      'both',
      ({ head, n, chunked }) =>
        `${LINE}${HOST}${head}Content-Length: ${n}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
    ],
    [
      'both, length 0',
      ({ head, chunked }) => `${LINE}${HOST}${head}Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
    ],
    [
      'both, the other order',
      ({ head, n, body }) => `${LINE}${HOST}${head}Transfer-Encoding: chunked\r\nContent-Length: ${n}\r\n\r\n${body}`,
    ],
  ],
  'Transfer-Encoding': [
    'xchunked',
    'chunked, chunked',
    'gzip, chunked',
    'Chunked',
    'chunked;q=1',
    'identity',
    'chunked, identity',
    '"chunked"',
    '',
  ].map((value): [string, Make] => [
    JSON.stringify(value),
    ({ head, chunked }) => `${LINE}${HOST}${head}Transfer-Encoding: ${value}\r\n\r\n${chunked}`,
  ]),
  'two Transfer-Encodings': [
    [
      'chunked twice',
      ({ head, chunked }) =>
        `${LINE}${HOST}${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
    ],
    ['folded', ({ head, chunked }) => `${LINE}${HOST}${head}Transfer-Encoding:\r\n chunked\r\n\r\n${chunked}`],
  ],
  'Content-Length': [
    [
      'two, different',
      ({ head, n, body }) => `${LINE}${HOST}${head}Content-Length: ${n}\r\nContent-Length: ${n - 1}\r\n\r\n${body}`,
    ],
    [
      'two, the longer second',
      ({ head, n, body }) => `${LINE}${HOST}${head}Content-Length: ${n}\r\nContent-Length: ${n + 5}\r\n\r\n${body}`,
    ],
    ...[`+N`, '0xN', 'N,N', '-1', 'N N', '', '00000000000000000000N', 'N.0', '1e3', '99999999999999999999'].map(
      (form): [string, Make] => [
        JSON.stringify(form),
        ({ head, n, body }) =>
          `${LINE}${HOST}${head}Content-Length: ${form.replaceAll('N', form.startsWith('0x') ? n.toString(16) : String(n))}\r\n\r\n${body}`,
      ],
    ),
  ],
  'chunk sizes': ['g', '0xN', '-1', 'N;', ' N', '+N', '11111111111111111', ''].map((size): [string, Make] => [
    JSON.stringify(size),
    ({ head, n, body }) =>
      `${LINE}${HOST}${head}Transfer-Encoding: chunked\r\n\r\n${size.replace('N', (n + 1).toString(16))}\r\n${body}\r\n0\r\n\r\n`,
  ]),
  'line ends and names': [
    [
      'bare line feeds',
      ({ head, n, body }) => `${LINE}${HOST}${head}Content-Length: ${n}\r\n\r\n`.replaceAll('\r\n', '\n') + body,
    ],
    ['a space before the colon', ({ head, n, body }) => `${LINE}${HOST}${head}Content-Length : ${n}\r\n\r\n${body}`],
    [
      'NUL in a value',
      ({ head, n, body }) => `${LINE}${HOST}X-Note: a\0b\r\n${head}Content-Length: ${n}\r\n\r\n${body}`,
    ],
    [
      'a bare CR in a value',
      ({ head, n, body }) => `${LINE}${HOST}X-Note: a\rb\r\n${head}Content-Length: ${n}\r\n\r\n${body}`,
    ],
    [
      'a header without a colon',
      ({ head, n, body }) => `${LINE}${HOST}X-Note\r\n${head}Content-Length: ${n}\r\n\r\n${body}`,
    ],
    ['no Host', ({ head, n, body }) => `${LINE}${head}Content-Length: ${n}\r\n\r\n${body}`],
    ['two Hosts', ({ head, n, body }) => `${LINE}${HOST}${HOST}${head}Content-Length: ${n}\r\n\r\n${body}`],
  ],
  'versions and protocols': [
    [
      'HTTP/1.0',
      ({ head, n, body }) => `POST ${BASKET_PATH} HTTP/1.0\r\n${HOST}${head}Content-Length: ${n}\r\n\r\n${body}`,
    ],
    [
      'HTTP/9.9',
      ({ head, n, body }) => `POST ${BASKET_PATH} HTTP/9.9\r\n${HOST}${head}Content-Length: ${n}\r\n\r\n${body}`,
    ],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no version', ({ head, n, body }) => `POST ${BASKET_PATH}\r\n${HOST}${head}Content-Length: ${n}\r\n\r\n${body}`],
    ['a TLS greeting', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(300, 'x')],
    ['noise', () => Array.from({ length: 256 }, (_, index) => String.fromCharCode((index * 167) % 256)).join('')],
    [
      '100 KB of path',
      ({ head, n, body }) =>
        `POST /${'a'.repeat(100_000)} HTTP/1.1\r\n${HOST}${head}Content-Length: ${n}\r\n\r\n${body}`,
    ],
    [
      'a header block of 100 KB',
      ({ head, n, body }) =>
        `${LINE}${HOST}X-Note: ${'a'.repeat(100_000)}\r\n${head}Content-Length: ${n}\r\n\r\n${body}`,
    ],
    [
      '2,000 headers',
      ({ head, n, body }) => `${LINE}${HOST}${'X-N: 1\r\n'.repeat(2_000)}${head}Content-Length: ${n}\r\n\r\n${body}`,
    ],
    ['CONNECT', () => `CONNECT x:443 HTTP/1.1\r\n${HOST}\r\n`],
    ['the asterisk form', () => `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
  ],
};

/** What happened to each case. All are sent at once, since some are only cut off by the service's clock. */
const outcomes = new Map<Make, Outcome>();

beforeAll(async () => {
  const makes = Object.values(frames).flatMap((group) => group.map(([, make]) => make));
  await Promise.all(makes.map(async (make) => outcomes.set(make, await exchange(make))));
});

describe.each(Object.keys(frames))('%s', (group) => {
  test.each(frames[group] ?? [])('%s is refused or cut off', async (_, make) => {
    const { basket, statuses, isClosed } = outcomes.get(make) as Outcome;
    for (const status of statuses) expect(status).toBeGreaterThanOrEqual(400);
    expect(statuses.length).toBeLessThanOrEqual(1);
    expect(statuses.length === 1 || isClosed).toBe(true);
    // Nothing of it was done: the key is free and the answer fresh.
    const fresh = await stage.caller.basket(basket);
    expect([fresh.status, fresh.isReplayed]).toEqual([200, false]);
  });
});

describe('forms that may be read, if they are read rightly', () => {
  const lenient: [string, Make][] = [
    ['trailers', inChunks(({ n, body }) => `${n.toString(16)}\r\n${body}\r\n0\r\nX-Late: 1\r\n\r\n`)],
    ['no CRLF after chunk data', inChunks(({ n, body }) => `${n.toString(16)}\r\n${body}0\r\n\r\n`)],
    [
      'a tab before the coding',
      ({ head, chunked }) => `${LINE}${HOST}${head}Transfer-Encoding: \tchunked \r\n\r\n${chunked}`,
    ],
    [
      'a length with blanks around',
      ({ head, n, body }) => `${LINE}${HOST}${head}Content-Length:  ${n} \r\n\r\n${body}`,
    ],
    [
      'two equal lengths',
      ({ head, n, body }) => `${LINE}${HOST}${head}Content-Length: ${n}\r\nContent-Length: ${n}\r\n\r\n${body}`,
    ],
    [
      'the absolute form',
      ({ head, n, body }) =>
        `POST http://x${BASKET_PATH} HTTP/1.1\r\n${HOST}${head}Content-Length: ${n}\r\n\r\n${body}`,
    ],
    [
      'a header block of 4,100 bytes',
      ({ head, n, body }) => `${LINE}${HOST}X-Note: ${'a'.repeat(3_700)}\r\n${head}Content-Length: ${n}\r\n\r\n${body}`,
    ],
    [
      'garbage after the request',
      ({ head, n, body }) => `${LINE}${HOST}${head}Content-Length: ${n}\r\n\r\n${body}\0\0garbage\r\n\r\n`,
    ],
  ];
  test.each(lenient)('%s: at most one answer with this body', async (_, make) => {
    const { statuses } = await exchange(make);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  });
});

interface Outcome {
  readonly basket: BasketBody;
  readonly statuses: number[];
  readonly isClosed: boolean;
}

async function exchange(make: Make): Promise<Outcome> {
  const basket = basketOf();
  const connection = await RawConnection.open(stage.service.baseUrl);
  connection.write(make(partsFor(basket)));
  const first = await connection.readAnswer(CUT_OFF_MS);
  // A second answer to one request would follow on the heels of the first.
  const answers = first ? [first, ...(await connection.readAnswers(200))] : [];
  const isClosed = first !== undefined || (await connection.closes(0));
  connection.close();
  return { basket, statuses: answers.map((answer) => answer.status), isClosed };
}

/** A machine that stands still has a call refused at its deadline: such a call is made again. */
function answersInTime(make: Make): Promise<number[]> {
  return until('an answer in time', async () => {
    const { statuses } = await exchange(make);
    return statuses[0] !== 503 && statuses;
  });
}

describe('chunk extensions (RFC 9112, 7.1.1), which the library reads as digits of the size', () => {
  const extended: [string, Make][] = [
    ['a name', ({ body, n }) => `${n.toString(16)};a\r\n${body}\r\n0\r\n\r\n`],
    ['a value', ({ body, n }) => `${n.toString(16)};a=b\r\n${body}\r\n0\r\n\r\n`],
    ['nothing behind the semicolon', ({ body, n }) => `${n.toString(16)};\r\n${body}\r\n0\r\n\r\n`],
    ['the last chunk', ({ body, n }) => `${n.toString(16)}\r\n${body}\r\n0;a=b\r\n\r\n`],
    ['both', ({ body, n }) => `${n.toString(16)};a\r\n${body}\r\n0;b\r\n\r\n`],
  ];

  test.each(extended)('%s: refused at once, not when the time of the upload is up', async (_, make) => {
    expect((await exchange(inChunks(make))).statuses).toEqual([400]);
  });

  // Behind a blank the library reads no more digits, and skips the rest of the line.
  const behindBlank: [string, Make][] = [
    ['a blank', ({ body, n }) => `${n.toString(16)} ;a=b\r\n${body}\r\n0\r\n\r\n`],
    ['a tab', ({ body, n }) => `${n.toString(16)}\t;a\r\n${body}\r\n0\r\n\r\n`],
    ['a blank, at the last chunk', ({ body, n }) => `${n.toString(16)}\r\n${body}\r\n0 ;a=b\r\n\r\n`],
    ['blanks, at both', ({ body, n }) => `${n.toString(16)}  ; a = "b"\r\n${body}\r\n0\t; c\r\n\r\n`],
  ];

  test.each(behindBlank)('behind %s: ignored, and the body is answered once', async (_, make) => {
    expect(await answersInTime(inChunks(make))).toEqual([200]);
  });

  test('a body in many chunks whose lines end in CRLF is answered, however its pieces arrive', async () => {
    const basket = basketOf();
    const body = JSON.stringify(basket, null, 2).replaceAll('\n', '\r\n');
    const bytes = Buffer.from(`${body}\r\n`);
    const connection = await RawConnection.open(stage.service.baseUrl);
    connection.write(
      `${LINE}${HOST}Content-Type: application/json\r\nIdempotency-Key: ${basket.calculationId}\r\n` +
        `POS-Signature: ${signatureOf(stage.caller.secret, bytes)}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (let at = 0; at < bytes.length; at += 97) {
      const piece = bytes.subarray(at, at + 97);
      connection.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    connection.write('0\r\n\r\n');
    expect((await connection.readAnswer())?.status).toBe(200);
    connection.close();
  });
});
