import { expect, test } from 'vitest';
import { CommandBytes, type Word } from '../../src/redis/command-bytes.ts';

/** The protocol's form, word by word. */
function expected(commands: readonly (readonly Word[])[]): Buffer {
  const parts = commands.flatMap((words) => [
    Buffer.from(`*${words.length}\r\n`),
    ...words.flatMap((word) => {
      const bytes = typeof word === 'object' ? Buffer.from(word) : Buffer.from(String(word));
      return [Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')];
    }),
  ]);
  return Buffer.concat(parts);
}

function sent(commands: CommandBytes): Buffer {
  let bytes = Buffer.alloc(0);
  commands.send((ready) => {
    bytes = Buffer.from(ready);
    return true;
  });
  return bytes;
}

const WORDS: readonly (readonly Word[])[] = [
  ['ping'],
  ['set', 'key', 12_345_678_901_234, 0, -7, 1.5, ''],
  ['set', 'Blåbær, løs vekt', '𝕏 \u0000 \r\n $5', 'lone \ud800 surrogate', '\udc00'],
  ['set', new Uint8Array([0, 13, 10, 255]), Buffer.alloc(0), 'x'.repeat(9), 'x'.repeat(10), 'å'.repeat(50)],
  Array.from({ length: 30 }, (_, word) => word),
];

test('commands have the form of the protocol, one behind the other', () => {
  const commands = new CommandBytes();
  expect(commands.isEmpty).toBe(true);
  for (const words of WORDS) commands.add(words);
  expect(commands.isEmpty).toBe(false);
  expect(sent(commands)).toEqual(expected(WORDS));
  expect(commands.isEmpty).toBe(true);
});

test('words and turns of any size find room', () => {
  const commands = new CommandBytes();
  const large = ['set', 'x'.repeat(70_000), 'ø'.repeat(40_000), Buffer.alloc(300_000, 1)];
  for (const words of [large, ['ping'], large]) commands.add(words);
  expect(sent(commands).equals(expected([large, ['ping'], large]))).toBe(true);
});

test('bytes that are still being sent are not written over; cleared ones are never sent', () => {
  const commands = new CommandBytes();
  commands.add(['first', 'a'.repeat(100)]);
  const held: Buffer[] = [];
  commands.send((bytes) => {
    held.push(bytes);
    return false;
  });
  commands.add(['second', 'b'.repeat(200)]);
  expect(held[0]).toEqual(expected([['first', 'a'.repeat(100)]]));
  commands.clear();
  commands.add(['third']);
  expect(sent(commands)).toEqual(expected([['third']]));
});
