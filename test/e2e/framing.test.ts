/**
 * HTTP framing that front ends and back ends have read in two ways. Whatever the service makes of it, it must not price
 * a body it misread, must not answer twice, and must go on living. Every request here is signed rightly for the body that
 * a lenient reader would find, so that only the framing stands between it and a 200.
 */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, isReplayOfOther } from '../support/caller.ts';
import { chunkOf, RawConnection, requestBytes, signedHeaders } from '../support/raw-connection.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';

const stage = useSharedService();

/** The service's transport gives a silent connection up after 10 to 12 s. */
const CUT_OFF_MS = 15_000;

/** The texts of which the requests are made: the headers of a right one but for those that frame it, and its body, plain and in one chunk. */
interface Parts {
  readonly head: string;
  readonly body: string;
  readonly chunked: string;
}

type Make = (parts: Parts) => string;
const LINE = `POST ${BASKET_PATH} HTTP/1.1\r\n`;
const HOST = 'Host: x\r\n';

/** A request with these header lines to frame it, in which `#` is the length of the body, and this beginning. */
function framed(framing: string, content: 'body' | 'chunked' = 'body', begin = LINE + HOST): Make {
  return (parts) => {
    const lines = framing.replace('0x#', `0x${parts.body.length.toString(16)}`).replaceAll('#', `${parts.body.length}`);
    return `${begin}${parts.head}${lines}\r\n\r\n${parts[content]}`;
  };
}

/** A request framed rightly, with another beginning. */
const begun = (begin: string): Make => framed('Content-Length: #', 'body', begin);

/** A body in one chunk, whose size `#` and end are written otherwise. */
function inChunks(size: string, end = '0', more = 0): Make {
  return ({ head, body }) => {
    const line = size.replace('#', (body.length + more).toString(16));
    return `${LINE}${HOST}${head}Transfer-Encoding: chunked\r\n\r\n${line}\r\n${body}\r\n${end}\r\n\r\n`;
  };
}

function partsFor(basket: BasketBody): Parts {
  const body = bytesOf(basket);
  const head = signedHeaders(stage.caller.secret, basket, body).slice(1).join('\r\n');
  return { head: `${head}\r\n`, body: body.toString('latin1'), chunked: chunkOf(body).toString('latin1') };
}

afterEach(async () => {
  expect(stage.service.isAlive).toBe(true);
  expect((await stage.caller.basket(basketOf())).status).toBe(200);
});

test('the right form of each is answered 200', async () => {
  const right = [framed('Content-Length: #'), framed('Transfer-Encoding: chunked', 'chunked')];
  for (const make of right) {
    expect(await answersInTime(make)).toEqual([200]);
  }
});

const frames: Record<string, [string, Make][]> = {
  'Content-Length and Transfer-Encoding': [
    ['both', framed('Content-Length: #\r\nTransfer-Encoding: chunked', 'chunked')],
    ['both, length 0', framed('Content-Length: 0\r\nTransfer-Encoding: chunked', 'chunked')],
    ['both, the other order', framed('Transfer-Encoding: chunked\r\nContent-Length: #')],
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
  ].map((value) => [JSON.stringify(value), framed(`Transfer-Encoding: ${value}`, 'chunked')]),
  'two Transfer-Encodings': [
    ['chunked twice', framed('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', 'chunked')],
    ['folded', framed('Transfer-Encoding:\r\n chunked', 'chunked')],
  ],
  'two Content-Lengths': [
    ['the shorter second', framed('Content-Length: #\r\nContent-Length: 9')],
    ['the longer second', framed('Content-Length: #\r\nContent-Length: #5')],
  ],
  'Content-Length': ['+#', '0x#', '#,#', '-1', '# #', '', '00000000000000000000#', '#.0', '1e3', '9'.repeat(20)].map(
    (value) => [JSON.stringify(value), framed(`Content-Length: ${value}`)],
  ),
  'chunk sizes': ['g', '0x#', '-1', '#;', ' #', '+#', '11111111111111111', ''].map((size) => [
    JSON.stringify(size),
    inChunks(size, '0', 1),
  ]),
  'line ends and names': [
    ['bare line feeds', (parts) => framed('Content-Length: #')(parts).replaceAll('\r\n', '\n')],
    ['a space before the colon', framed('Content-Length : #')],
    ['NUL in a value', begun(`${LINE}${HOST}X-Note: a\0b\r\n`)],
    ['a bare CR in a value', begun(`${LINE}${HOST}X-Note: a\rb\r\n`)],
    ['a header without a colon', begun(`${LINE}${HOST}X-Note\r\n`)],
    ['no Host', begun(LINE)],
    ['two Hosts', begun(LINE + HOST + HOST)],
  ],
  'versions and protocols': [
    ['HTTP/1.0', begun(`POST ${BASKET_PATH} HTTP/1.0\r\n${HOST}`)],
    ['HTTP/9.9', begun(`POST ${BASKET_PATH} HTTP/9.9\r\n${HOST}`)],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no version', begun(`POST ${BASKET_PATH}\r\n${HOST}`)],
    ['a TLS greeting', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(300, 'x')],
    ['noise', () => Array.from({ length: 256 }, (_, index) => String.fromCharCode((index * 167) % 256)).join('')],
    ['100 KB of path', begun(`POST /${'a'.repeat(100_000)} HTTP/1.1\r\n${HOST}`)],
    ['a header block of 100 KB', begun(`${LINE}${HOST}X-Note: ${'a'.repeat(100_000)}\r\n`)],
    ['2,000 headers', begun(LINE + HOST + 'X-N: 1\r\n'.repeat(2_000))],
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
    expect([fresh.status, isReplayOfOther(fresh)]).toEqual([200, false]);
  });
});

describe('forms that may be read, if they are read rightly', () => {
  test.each<[string, Make]>([
    ['trailers', inChunks('#', '0\r\nX-Late: 1')],
    [
      'no CRLF after chunk data',
      ({ head, body, chunked }) =>
        `${LINE}${HOST}${head}Transfer-Encoding: chunked\r\n\r\n${chunked.replace(`${body}\r\n`, body)}`,
    ],
    ['a tab before the coding', framed('Transfer-Encoding: \tchunked ', 'chunked')],
    ['a length with blanks around', framed('Content-Length:  # ')],
    ['two equal lengths', framed('Content-Length: #\r\nContent-Length: #')],
    ['the absolute form', begun(`POST http://x${BASKET_PATH} HTTP/1.1\r\n${HOST}`)],
    ['a header block of 4,100 bytes', begun(`${LINE}${HOST}X-Note: ${'a'.repeat(3_700)}\r\n`)],
    ['garbage after the request', (parts) => `${framed('Content-Length: #')(parts)}\0\0garbage\r\n\r\n`],
  ])('%s: at most one answer with this body', async (_, make) => {
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
  test.each([
    ['a name', '#;a'],
    ['a value', '#;a=b'],
    ['nothing behind the semicolon', '#;'],
    ['the last chunk', '#', '0;a=b'],
    ['both', '#;a', '0;b'],
  ])('%s: refused at once, not when the time of the upload is up', async (_, size, end?: string) => {
    expect((await exchange(inChunks(size, end))).statuses).toEqual([400]);
  });

  // Behind a blank the library reads no more digits, and skips the rest of the line.
  test.each([
    ['a blank', '# ;a=b'],
    ['a tab', '#\t;a'],
    ['a blank, at the last chunk', '#', '0 ;a=b'],
    ['blanks, at both', '#  ; a = "b"', '0\t; c'],
  ])('behind %s: ignored, and the body is answered once', async (_, size, end?: string) => {
    expect(await answersInTime(inChunks(size, end))).toEqual([200]);
  });

  test('a body in many chunks whose lines end in CRLF is answered, however its pieces arrive', async () => {
    const basket = basketOf();
    const body = JSON.stringify(basket, null, 2).replaceAll('\n', '\r\n');
    const bytes = Buffer.from(`${body}\r\n`);
    const connection = await RawConnection.open(stage.service.baseUrl);
    const headers = [...signedHeaders(stage.caller.secret, basket, bytes), 'Transfer-Encoding: chunked'];
    connection.write(requestBytes(LINE.trimEnd(), headers));
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
