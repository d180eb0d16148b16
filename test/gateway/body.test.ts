/** Bodies as they arrive: in one piece or many, too large, cut for others, and dropped to their end. */

import { MAX_BODY_BYTES } from '@loyalty/contract/limits';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { collectBody, dropBody } from '../../src/gateway/body.ts';
import { MAX_UPLOAD_BYTES, Uploads } from '../../src/gateway/uploads.ts';

let uploads: Uploads;
/** What became of all bodies, in its order. */
let ends: string[];

beforeEach(() => {
  [uploads, ends] = [new Uploads(), []];
});
afterEach(() => uploads.close());

function receive(isChunked = false) {
  const upload = uploads.begin((loss) => ends.push(loss));
  const bodies: Uint8Array<ArrayBuffer>[] = [];
  const take = collectBody(uploads, upload, isChunked, {
    onBody: (body) => {
      bodies.push(body);
      ends.push('whole');
    },
    onTooLarge: () => ends.push('too large'),
    onChunkFault: ({ expected }) => ends.push(expected),
  });
  const send = (bytes: string | number, isLast = false): void => {
    const piece = new Uint8Array(Buffer.from(typeof bytes === 'string' ? bytes : 'x'.repeat(bytes)));
    take(piece.buffer, isLast);
    // The parser uses the memory of a piece again.
    piece.fill(0x3f);
  };
  return { upload, bodies, send, text: () => bodies.map((body) => Buffer.from(body).toString()) };
}

test('a body in one piece, as nearly all are, is kept when the next ones arrive', () => {
  const bodies = ['{"one":1}', '', '', '{"four":4}'];
  const calls = bodies.map((body) => {
    const call = receive();
    call.send(body, true);
    return call;
  });
  expect(calls.map(({ text }) => text())).toEqual(bodies.map((body) => [body]));
  expect([ends, uploads.state]).toMatchObject([bodies.map(() => 'whole'), { unfinished: 0, heldBytes: 0 }]);
});

test('bodies in pieces that arrive in turns are each put together, in no more memory than they need', () => {
  const [one, other] = [receive(), receive()];
  one.send('{"a"');
  other.send('[');
  one.send(':1');
  other.send('2');
  expect(uploads.state.heldBytes).toBe(2 * 4096);
  one.send('}', true);
  other.send(']', true);
  expect([one.text(), other.text()]).toEqual([['{"a":1}'], ['[2]']]);
  expect([one, other].map(({ bodies }) => bodies[0]!.buffer.byteLength)).toEqual([7, 3]);
  expect(uploads.state).toMatchObject({ unfinished: 0, heldBytes: 0 });
});

test('the memory of a body grows with its bytes: at least by half, and never above the largest body', () => {
  const { send, upload, text } = receive();
  const held = [10, 4086, 1, 40_000, 160_000, 20_000].map((bytes) => {
    send(bytes);
    return upload.heldBytes;
  });
  expect(held).toEqual([4096, 4096, 8192, 44_097, 204_097, MAX_BODY_BYTES]);
  send('', true);
  expect(text()[0]).toBe('x'.repeat(224_097));
});

test('a body of the largest size is taken; of a larger one nothing is, whatever follows', () => {
  const [largest, pieces, larger] = [receive(), receive(), receive()];
  largest.send(MAX_BODY_BYTES, true);
  pieces.send(MAX_BODY_BYTES - 1);
  pieces.send(1, true);
  expect([largest, pieces].map(({ text }) => text()[0]!.length)).toEqual([MAX_BODY_BYTES, MAX_BODY_BYTES]);
  larger.send(MAX_BODY_BYTES);
  larger.send(1);
  larger.send(1);
  larger.send('', true);
  expect([ends, uploads.state.unfinished, uploads.state.heldBytes]).toEqual([['whole', 'whole', 'too large'], 0, 0]);
});

test('a body that is cut while it grows is looked at no more', () => {
  const [oldest, other] = [receive(true), uploads.begin(() => ends.push('other'))];
  uploads.hold(other, MAX_UPLOAD_BYTES);
  oldest.send('{}\r\n0');
  oldest.send('{}', true);
  expect([ends, oldest.bodies, other.isOver]).toEqual([['too_many_bytes'], [], false]);
});

test('the last piece of a body cuts no other body', () => {
  const [older, call] = [uploads.begin(() => ends.push('older')), receive()];
  uploads.hold(older, MAX_UPLOAD_BYTES - 4096);
  call.send(1);
  call.send(5_000, true);
  expect([ends, older.isOver]).toEqual([['whole'], false]);
});

test('chunks are judged only of a chunked body that is on its way, and one error ends it', () => {
  const [plain, whole, chunked] = [receive(), receive(true), receive(true)];
  plain.send('{}\r\n0');
  plain.send('', true);
  whole.send('{}\r\n0', true);
  expect(ends).toEqual(['whole', 'whole']);
  chunked.send('{}\r\n0');
  chunked.send('{}\r\n0');
  chunked.send('', true);
  expect(ends.slice(2)).toEqual(['chunks without extensions']);
  expect([chunked.upload.isOver, uploads.state.unfinished, uploads.state.heldBytes]).toEqual([true, 0, 0]);
});

test('a body that is only read to its end ends a call once: when all of it was there, when it comes, or when that takes long', () => {
  vi.useFakeTimers();
  try {
    const drop = () => {
      const calls: boolean[] = [];
      const take = dropBody((isWhole) => calls.push(isWhole));
      return { calls, send: (isLast: boolean) => take(new ArrayBuffer(1), isLast) };
    };
    const [there, soon, late] = [drop(), drop(), drop()];
    there.send(false);
    there.send(true);
    expect(there.calls).toEqual([]);
    vi.advanceTimersByTime(1);
    expect([there.calls, soon.calls, late.calls]).toEqual([[true], [], []]);
    soon.send(false);
    late.send(false);
    soon.send(true);
    expect(soon.calls).toEqual([]);
    vi.advanceTimersByTime(100);
    expect([there.calls, soon.calls, late.calls, vi.getTimerCount()]).toEqual([[true], [true], [false], 0]);
  } finally {
    vi.useRealTimers();
  }
});
