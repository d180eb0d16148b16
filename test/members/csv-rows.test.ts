import { expect, test } from 'vitest';
import { readCsvRows } from '../../src/tools/members/csv-rows.ts';
import type { MemberRow, Position } from '../../src/tools/members/rows.ts';

async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(text: string, size: number, start: Position = { line: 0, offset: 0 }): Promise<MemberRow[]> {
  const found: MemberRow[] = [];
  for await (const rows of readCsvRows(chunksOf(text, size), start)) found.push(...rows);
  return found;
}

const cells = Array.from({ length: 1200 }, (_, index) => {
  if (index % 7 === 3) return `id ${index},ac"tive,gold`;
  if (index % 11 === 5) return `id ${index},active`;
  if (index % 13 === 6) return `"id ""${index}"",\nblå",active,gold`;
  return `id ${index},active,gold`;
});
const text = `loyaltyId,status,tier\n${cells.join('\n')}\n`;

test('every row comes once and in the order of the file, the unreadable ones too', async () => {
  for (const size of [50, 4096, text.length]) {
    const rows = await rowsOf(text, size);
    expect(rows).toHaveLength(cells.length);
    const offsets = rows.map(({ endOffset }) => endOffset);
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
    expect(new Set(offsets).size).toBe(cells.length);
    expect(rows.at(-1)).toMatchObject({ line: text.split('\n').length - 1 });
    const readable = rows.filter(({ fault }) => !fault).length;
    expect(readable).toBe(cells.filter((_, index) => index % 7 !== 3 && index % 11 !== 5).length);
  }
});

test('an import goes on after any row', async () => {
  const rows = await rowsOf(text, 4096);
  for (const done of [0, 1, 3, 4, 511, 512, 700, 1198, 1199]) {
    const { line, endOffset } = rows[done] as MemberRow;
    expect(await rowsOf(text, 1000, { line, offset: endOffset })).toEqual(rows.slice(done + 1));
  }
});
