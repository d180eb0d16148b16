/** Chunks of a body that is on its way: too many small ones, and framing that was read as content. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChunkWatch } from '../../src/gateway/chunk-watch.ts';
import { Uploads } from '../../src/gateway/uploads.ts';

const SMALL = 'fewer and larger chunks';
/** More than any body here has. */
const MOST_BYTES = 100_000;
const EXTENDED = 'chunks without extensions';

let uploads: Uploads;
beforeEach(() => {
  uploads = new Uploads();
});
afterEach(() => uploads.close());

/** The watch of one body, to which each chunk is added. */
function watch() {
  const faults: string[] = [];
  const upload = uploads.begin(() => undefined);
  const own = new ChunkWatch(uploads, upload, ({ expected }) => faults.push(expected));
  const content = Buffer.allocUnsafe(MOST_BYTES);
  let received = 0;
  const add = (chunk: string): readonly string[] => {
    received += content.write(chunk, received, 'latin1');
    own.look(content.subarray(0, received));
    return faults;
  };
  return { add, faults, upload };
}

/** How many chunks of this size are borne, up to a bound. */
function countBorne(most: number, chunk = 'x', { add } = watch()): number {
  for (let count = 0; count < most; count += 1) {
    const [fault] = add(chunk);
    if (fault === SMALL) return count;
  }
  return most;
}

test('a usual basket may come byte by byte, and no more', () => {
  expect(countBorne(5_000)).toBe(132 + 2048);
});

test('chunks of 32 bytes are no small ones, however many come', () => {
  const body = watch();
  expect(countBorne(132, 'x', body)).toBe(132);
  body.add('x'.repeat(28));
  expect(countBorne(2_500, 'x'.repeat(32), body)).toBe(2_500);
});

test('all bodies together share the places for small chunks', () => {
  while (uploads.takeSmallChunk());
  expect(countBorne(5_000)).toBe(132);
});

test.each([
  ['the size of the last chunk', '{"a":{}}\r\n0'],
  ['another request', '{"a":{}}\r\nPOST / HTTP/1.1'],
  ['an object', '{}\r\n{'],
  ['blanks and lines before it', '{"a":1} \t\r\n\r\n \r\n5'],
])('behind the end of an object, %s is framing, wherever the pieces are cut', (_, content) => {
  expect(watch().add(content)).toEqual([EXTENDED]);
  for (let cut = 1; cut <= content.lastIndexOf('\n') + 1; cut += 1) {
    const { add, faults } = watch();
    add(content.slice(0, cut));
    expect(faults, content.slice(0, cut)).toEqual([]);
    expect(add(content.slice(cut)), content.slice(0, cut)).toEqual([EXTENDED]);
  }
});

test.each([
  ['in a line of its own', '{"a":{}\r\n}'],
  ['a comma', '[{}\r\n,{}\r\n \t,{}'],
  ['the end of a list', '[{}\r\n \t\r\n]'],
  ['a number in the same line', '{}0'],
  ['a line feed alone', '{}\n0'],
  ['a number behind a list', '[]\r\n0'],
  ['a number behind a blank', '{}\r\n \t0'],
])('what no chunk has there is no framing: %s', (_, content) => {
  expect(watch().add(content)).toEqual([]);
});

test('framing is found behind many blanks, and at the beginning of a large piece', () => {
  const { add } = watch();
  add('{"a":"');
  add(`${'x'.repeat(1_000)}"}`);
  add(`${' '.repeat(200)}\r\n`);
  expect(add('0')).toEqual([EXTENDED]);
  const large = watch();
  large.add('{"a":1');
  expect(large.add(`}\r\n0${'x'.repeat(1_000)}`)).toEqual([EXTENDED]);
});

test('a whole object behind which nothing comes is refused after a while, once, unless it ends before', () => {
  vi.useFakeTimers();
  try {
    const silent = ['{}\r\n', '{"a":{}} \r\n', `{}${' '.repeat(300)}\r\n\t\r\n`].map((content) => {
      const body = watch();
      body.add(content);
      return body;
    });
    vi.advanceTimersByTime(249);
    expect(silent.map(({ faults }) => faults)).toEqual([[], [], []]);
    vi.advanceTimersByTime(10_000);
    expect(silent.map(({ faults }) => faults)).toEqual([[EXTENDED], [EXTENDED], [EXTENDED]]);
    const ended = watch();
    ended.add('{}\r\n');
    uploads.finish(ended.upload);
    const goesOn = watch();
    goesOn.add('{}\r\n');
    goesOn.add(' ');
    const noLine = watch();
    noLine.add('{}');
    vi.advanceTimersByTime(10_000);
    expect([ended.faults, goesOn.faults, noLine.faults]).toEqual([[], [], []]);
  } finally {
    vi.useRealTimers();
  }
});

test('a body is parsed once at most, and one that is not whole is waited for', () => {
  vi.useFakeTimers();
  try {
    const { add, faults } = watch();
    add('{"a":{}\r\n');
    vi.advanceTimersByTime(1_000);
    expect(faults).toEqual([]);
    add('}\r\n');
    vi.advanceTimersByTime(1_000);
    expect(faults).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
