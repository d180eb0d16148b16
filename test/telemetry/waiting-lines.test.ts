/** Which lines a sink has not written yet, by the bytes that it has. */
import { expect, test } from 'vitest';
import { WaitingLines } from '../../src/telemetry/waiting-lines.ts';

test('a line waits until its last byte is written, however the writes are cut', () => {
  const lines = new WaitingLines();
  for (const line of ['four', 'blåbær', 'x']) lines.add(line);
  const counts = [3, 1, 7, 1, 1].map((bytes) => {
    lines.write(bytes);
    return lines.count;
  });
  expect(counts).toEqual([3, 2, 2, 1, 0]);
});

test('a line that is taken back was never there', () => {
  const lines = new WaitingLines();
  lines.add('four');
  lines.add('taken back');
  lines.takeBack();
  lines.add('x');
  lines.write(4);
  expect(lines.count).toBe(1);
  lines.takeBack();
  lines.add('xy');
  lines.write(1);
  expect(lines.count).toBe(1);
  lines.write(1);
  expect(lines.count).toBe(0);
});

test('each line is given up once, also if some are written after all', () => {
  const lines = new WaitingLines();
  for (const line of ['a', 'b']) lines.add(line);
  expect([lines.giveUp(), lines.giveUp()]).toEqual([2, 0]);
  lines.add('c');
  lines.write(2);
  expect(lines.giveUp()).toBe(1);
  lines.write(1);
  lines.add('d');
  expect([lines.giveUp(), lines.count]).toEqual([1, 1]);
});
