import { expect, test } from 'vitest';
import { MAX_LINE_BYTES, readLines } from '../../packages/tools/src/ndjson/read-lines.ts';

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesOf(text: string | Buffer, size: number) {
  const found = [];
  for await (const lines of readLines(chunksOf(Buffer.from(text), size))) found.push(...lines);
  return found.map(({ number, endOffset, bytes }) => [number, endOffset, bytes?.toString()]);
}

test.each([1, 2, 3, 5, 100])('lines come out whole, whatever the chunks (%i bytes)', async (size) => {
  expect(await linesOf('eins\r\nzwölf\n\nlast', size)).toEqual([
    [1, 6, 'eins'],
    [2, 13, 'zwölf'],
    [3, 14, ''],
    [4, 18, 'last'],
  ]);
  expect(await linesOf('a\n', size)).toEqual([[1, 2, 'a']]);
  expect(await linesOf('', size)).toEqual([]);
});

test('a line without end is passed over, and the next one is read', async () => {
  const long = Buffer.alloc(MAX_LINE_BYTES + 1, 'x');
  const all = Buffer.concat([Buffer.from('a\n'), long, Buffer.from('\nb\n')]);
  for (const size of [64 * 1024, all.length]) {
    expect(await linesOf(all, size)).toEqual([
      [1, 2, 'a'],
      [2, MAX_LINE_BYTES + 4, undefined],
      [3, MAX_LINE_BYTES + 6, 'b'],
    ]);
  }
});
