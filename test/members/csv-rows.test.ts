/** Rows of a CSV file: each comes once, or is named with what is wrong with it. */
import { expect, test } from 'vitest';
import { readCsvRows } from '../../packages/tools/src/members/csv-rows.ts';
import type { MemberRow } from '../../packages/tools/src/members/rows.ts';

async function* chunksOf(text: string | Buffer, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(text: string | Buffer, size = 100, done = 0): Promise<MemberRow[]> {
  const found: MemberRow[] = [];
  for await (const rows of readCsvRows(chunksOf(text, size), done)) found.push(...rows);
  return found;
}

test('every row comes once and in the order of the file, the unreadable ones too, and an import goes on after any', async () => {
  const cells = Array.from({ length: 1200 }, (_, index) => {
    if (index % 7 === 3) return `id ${index},ac"tive,gold`;
    if (index % 11 === 5) return `id ${index},active`;
    if (index % 13 === 6) return `"id ""${index}"",\nblå",active,gold`;
    return `id ${index},active,gold`;
  });
  const text = `loyaltyId,status,tier\n${cells.join('\n')}\n`;
  const rows = await rowsOf(text, 4096);
  for (const size of [50, text.length]) expect(await rowsOf(text, size)).toEqual(rows);
  const offsets = rows.map(({ endOffset }) => endOffset);
  expect(new Set(offsets).size).toBe(cells.length);
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
  expect(rows.at(-1)).toMatchObject({ line: text.split('\n').length - 1 });
  const readable = rows.filter(({ fault }) => !fault).length;
  expect(readable).toBe(cells.filter((_, index) => index % 7 !== 3 && index % 11 !== 5).length);
  for (const done of [0, 1, 3, 4, 511, 512, 700, 1198, 1199]) {
    expect(await rowsOf(text, 1000, rows[done]!.endOffset)).toEqual(rows.slice(done + 1));
  }
});

const NEVER_CLOSED = 'a quoted cell that is never closed';

test.each<[words: string, spoiled: Record<number, string>, fault: [line: number, found: string]]>([
  ['a quoted cell far behind it', { 779: '"id 779,active,', 831: '"id 831",active,' }, [779, NEVER_CLOSED]],
  ['only whole rows behind it', { 779: '"id 779,active,', 900: 'id 900,active,""' }, [779, NEVER_CLOSED]],
  [
    'a quote that is closed over several lines behind it',
    { 779: '"id 779,active,', 780: 'id 780,active,"two', 781: 'lines"' },
    [779, NEVER_CLOSED],
  ],
  ['nothing behind it', { 2001: 'id 2001,active,"' }, [2001, NEVER_CLOSED]],
  ['text behind its closing quote', { 779: '"id 779"x,active,' }, [779, 'text after a closing quote']],
  ['a quote inside it', { 779: 'id "779",active,' }, [779, 'a quote inside a cell']],
])('a spoiled row with %s costs itself, and every other row is read', async (_, spoiled, fault) => {
  const lines = Array.from({ length: 2000 }, (_, index) => spoiled[index + 2] ?? `id ${index + 2},active,`);
  const text = ['loyaltyId,status,memberLabel', ...lines, ''].join('\n');
  for (const size of [100, text.length]) {
    const rows = await rowsOf(text, size);
    expect(rows.flatMap(({ line, fault }) => (fault ? [[line, fault.found]] : []))).toEqual([fault]);
    const read = rows.flatMap(({ line, lastLine }) =>
      Array.from({ length: lastLine - line + 1 }, (_, at) => line + at),
    );
    expect(read).toEqual(lines.map((_, index) => index + 2));
  }
});

test('a quote that is never closed costs one row of very many short ones, and little time', async () => {
  const ids = Array.from({ length: 130_000 }, (_, index) => String(index).padStart(5, '0'));
  const rows = await rowsOf(['loyaltyId', `"${ids[0]}`, ...ids.slice(1), ''].join('\n'), 65_536);
  expect([rows.length, rows[0]!.fault?.found, rows[1]!.value]).toEqual([130_000, NEVER_CLOSED, { loyaltyId: ids[1] }]);
});

test('a row of several lines says where it begins and ends, and keeps its line breaks', async () => {
  const rows = await rowsOf('loyaltyId,status\r\n"a\r\nb\nc",active\r\nd\r\n', 7);
  expect(rows).toMatchObject([
    { line: 2, lastLine: 4, value: { loyaltyId: 'a\r\nb\nc', status: 'active' } },
    { line: 5, lastLine: 5, fault: { found: '1 cells' } },
  ]);
});

test('bytes that are no UTF-8 are refused with their column, in a quoted cell too, and never written as another ID', async () => {
  const text = 'loyaltyId,memberLabel,status\nbl\xe5,,active\na,"Venn, \xf8yeblikk",active\nd,,active\n';
  expect(await rowsOf(Buffer.from(text, 'latin1'))).toMatchObject([
    {
      line: 2,
      fault: {
        path: 'loyaltyId',
        found: 'bytes that are not UTF-8; as Windows-1252 they read "blå,,active"',
        allowed: expect.stringContaining('save the file as UTF-8'),
      },
    },
    { line: 3, fault: { path: 'memberLabel', found: expect.stringContaining('øyeblikk') } },
    { line: 4, value: { loyaltyId: 'd' } },
  ]);
});

test.each([
  ['loyaltyId,status,status\na,active,paused\n', 'the header names the column "status" twice'],
  ['loyaltyId,level\na,b\n', 'the header names the column "level", allowed: programmeId, loyaltyId, '],
  ['loyaltyId,"status\na,active\n', 'the header is no CSV: a quoted cell that is never closed'],
  [Buffer.from('\xff\xfel\0o\0', 'latin1'), 'the header is no CSV: UTF-16, which is not UTF-8'],
  ['loyaltyId;status;tier\na;active;gold\n', 'line 1 separates its columns by semicolons'],
  ['loyaltyId\tstatus\na\tactive\n', 'line 1 separates its columns by tabs'],
  ['loyaltyid,status\na,active\n', 'did you mean loyaltyId?'],
  ['', 'the file is empty'],
])('the header %j is refused', async (text, words) => {
  await expect(rowsOf(text)).rejects.toThrow(words);
});

/** As an error shows a cell of the file: with invisible letters as escapes. */
const shown = (cell: string) =>
  JSON.stringify(cell.replaceAll('""', '"'))
    .slice(1, -1)
    .replaceAll(/[\u00a0\u00ad\u200b\ufeff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

test.each([
  ['1.23457E+11', 'the whole ID: a spreadsheet has shortened it'],
  ['1,23457E+11', 'the whole ID'],
  [' card-1', '"card-1", without them'],
  ['card-1\u00a0', '"card-1", without them'],
  ['123456789.0', 'a spreadsheet has made a number of it'],
  ['123456789,00', 'a spreadsheet has made a number of it'],
  ['=""00124""', '"00124", without the formula'],
  ['=00124', '"00124", without the formula'],
  ["'00123", '"00123", without the quotes'],
  ['“00123”', '"00123", without the quotes'],
  ['00123’', '"00123", without the quotes'],
  ['""00123""', '"00123", without the quotes'],
  ['00\u200b123', '"00123", without invisible letters'],
  ['\ufeff00123\u00ad', '"00123", without them'],
  ['00\u00a0123', '"00 123", without invisible letters'],
])('the loyalty ID %j that a spreadsheet has spoiled is refused with its line and column', async (cell, words) => {
  const [found, allowed] = [shown(cell), words].map((part) => expect.stringContaining(part));
  expect(await rowsOf(`\ufeffstatus,loyaltyId\r\nactive,"${cell}"\r\nactive,12E5\r\n`, 11)).toMatchObject([
    { line: 2, fault: { path: 'loyaltyId', found, allowed } },
    { line: 3, value: { loyaltyId: '12E5', status: 'active' } },
  ]);
});

test('an ID that only looks unusual is taken as it is', async () => {
  const ids = ['O’Hara 7', 'a=b', '12.5', '1.0.0', '0042', "d'or", '👩‍🍳', 'a b'];
  const rows = await rowsOf(`loyaltyId,tier\n${ids.map((id) => `${id},"gold"`).join('\n')}\n`, 11);
  expect(rows.map(({ value }) => (value as { loyaltyId: string } | undefined)?.loyaltyId)).toEqual(ids);
});

test('a tier is looked at like an ID, except that it may be a number', async () => {
  const rows = await rowsOf('loyaltyId,tier,memberLabel\na,1.0,“G”\nb,“gold”,\nc,go\u200bld,\n', 11);
  expect(rows.map(({ fault }) => fault?.path)).toEqual([undefined, 'tier', 'tier']);
});
