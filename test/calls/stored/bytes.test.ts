/** Integers and texts as bytes: what is written comes back, in as few bytes as layout.ts says, and nothing else is read. */
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '../../../src/calls/stored/bytes.ts';

const written = (write: (writer: ByteWriter) => void): Buffer => {
  const writer = new ByteWriter();
  write(writer);
  return writer.take();
};

describe('an integer', () => {
  test('takes a byte for every seven bits', () => {
    const sizes: [value: number, bytes: number][] = [
      ...([
        [0, 1],
        [127, 1],
        [128, 2],
        [16_383, 2],
        [16_384, 3],
        [300_000, 3],
      ] as [number, number][]),
      ...([
        [2 ** 31 - 1, 5],
        [2 ** 31, 5],
        [2 ** 31 + 12_345, 5],
        [2 ** 40 + 7, 6],
      ] as [number, number][]),
      [Number.MAX_SAFE_INTEGER, 8],
    ];
    for (const [value, bytes] of sizes) {
      const own = written((writer) => writer.integer(value));
      expect([new ByteReader(own).integer(), own.length], String(value)).toEqual([value, bytes]);
    }
    expect([...written((writer) => writer.integer(300))]).toEqual([0b1010_1100, 0b10]);
    expect([...written((writer) => writer.integer(2 ** 31 + 1))]).toEqual([0x81, 0x80, 0x80, 0x80, 0x08]);
  });

  test('that could not be read back is not written', () => {
    for (const value of [-1, 0.5, Number.NaN, 2 ** 53]) {
      expect(() => written((writer) => writer.integer(value)), String(value)).toThrow('assertion failed');
    }
  });

  test('that ends too early, or never, is not read', () => {
    for (const bytes of [[], [0x80], Array(8).fill(0x80), [...Array(8).fill(0x80), 1]]) {
      expect(() => new ByteReader(Buffer.from(bytes)).integer()).toThrow('its bytes end in an integer');
    }
  });

  test('that is an index is below its end', () => {
    expect(new ByteReader(Buffer.of(6)).below(7)).toBe(6);
    expect(() => new ByteReader(Buffer.of(7)).below(7)).toThrow('out of range');
  });
});

describe('a text', () => {
  test('is its length and its UTF-8, or its UTF-16 where it has a lone surrogate', () => {
    const sizes: [text: string, bytes: number][] = [
      ...([
        ['', 1],
        ['a', 2],
        ['x'.repeat(24), 25],
        ['x'.repeat(25), 26],
        ['x'.repeat(64), 66],
      ] as [string, number][]),
      ...([
        ['ø', 3],
        ['Blåbær', 9],
        ['\u0080', 3],
        ['\u007f', 2],
        ['🍺', 5],
      ] as [string, number][]),
      ...([
        ['\ud83c', 3],
        ['a\ud83c', 5],
        ['ø'.repeat(5_000), 10_003],
      ] as [string, number][]),
    ];
    for (const [text, bytes] of sizes) {
      const own = written((writer) => writer.text(text));
      expect([new ByteReader(own).text(), own.length], text).toEqual([text, bytes]);
      for (let length = 0; length < Math.min(own.length, 70); length += 1) {
        expect(() => new ByteReader(own.subarray(0, length)).text(), `${text} ${length}`).toThrow('its bytes end');
      }
    }
  });

  test('may be missing only where it may be', () => {
    const none = written((writer) => writer.optionalText(undefined));
    expect([none.length, new ByteReader(none).optionalText()]).toEqual([1, undefined]);
    expect(() => new ByteReader(none).text()).toThrow('a text of it is missing');
  });
});

describe('a UUID', () => {
  const uuid = '0123abcd-ef45-6789-abcd-ef0123456789';

  test('takes 17 bytes', () => {
    const own = written((writer) => expect(writer.uuid(uuid)).toBe(true));
    const reader = new ByteReader(own);
    expect([own.length, reader.integer(), reader.uuid(), reader.at]).toEqual([17, 0, uuid, 17]);
    expect(() => new ByteReader(own.subarray(0, 16), 1).uuid()).toThrow('its bytes end in a UUID');
  });

  test('is kept at the end of the room that there is', () => {
    const own = written((writer) => {
      writer.text('x'.repeat(4_078));
      writer.uuid(uuid);
    });
    const reader = new ByteReader(own);
    expect([reader.text().length, reader.integer(), reader.uuid()]).toEqual([4_078, 0, uuid]);
  });

  test('is nothing else, of which nothing is written', () => {
    const others = ['', uuid.slice(1), `${uuid}0`, uuid.toUpperCase(), uuid.replaceAll('-', '0')];
    for (let at = 0; at < uuid.length; at += 1) {
      for (const character of uuid[at] === '-' ? '0/:' : '-/:`gø') {
        others.push(uuid.slice(0, at) + character + uuid.slice(at + 1));
      }
    }
    for (const other of others) {
      const own = written((writer) => expect(writer.uuid(other), other).toBe(false));
      expect(own.length, other).toBe(0);
    }
  });
});

test('a list has no more items than bytes are left', () => {
  const read = (bytes: number[]) => {
    const reader = new ByteReader(Buffer.from(bytes));
    return reader.list(() => reader.integer());
  };
  expect([read([0]), read([2, 7, 8])]).toEqual([[], [7, 8]]);
  expect(() => read([3, 7, 8])).toThrow('out of range');
});

test('bytes that were taken stay as they are, and a failed writing leaves nothing', () => {
  const writer = new ByteWriter();
  writer.text('one');
  const one = writer.take();
  writer.integer(7);
  writer.reset();
  writer.text('two');
  const two = writer.take();
  expect([new ByteReader(one).text(), new ByteReader(two).text(), writer.take().length]).toEqual(['one', 'two', 0]);
});

test('everything is kept while there is more and more', () => {
  const uuid = '0123abcd-ef45-6789-abcd-ef0123456789';
  const own = written((writer) => {
    for (let at = 0; at < 3_000; at += 1) {
      writer.integer(at);
      writer.text('x'.repeat(at % 30));
      writer.uuid(uuid);
    }
    writer.text('y'.repeat(100_000));
  });
  const reader = new ByteReader(own);
  for (let at = 0; at < 3_000; at += 1) {
    const entry = [reader.integer(), reader.text().length, reader.integer(), reader.uuid()];
    if (entry.join() !== [at, at % 30, 0, uuid].join()) expect(entry).toEqual([at, at % 30, 0, uuid]);
  }
  expect([reader.text().length, reader.at]).toEqual([100_000, own.length]);
});
