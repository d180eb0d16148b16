/** A map by lists of numbers: so many lists that some of them have one hash, and none may stand for another. */
import { test } from 'vitest';
import { ByNumbers } from '../src/choose/by-numbers.ts';

const SIDE = 400;

function full(): ByNumbers<number> {
  const map = new ByNumbers<number>();
  for (let one = 0; one < SIDE; one++)
    for (let other = 0; other < SIDE; other++) {
      const numbers = [one, other / 2];
      if (map.find(numbers) !== undefined) throw new Error(`${numbers} was found`);
      map.add(numbers, one * SIDE + other);
    }
  return map;
}

test('every list has the value of its own, also where two have one hash', () => {
  const map = full();
  for (let one = 0; one < SIDE; one++)
    for (let other = 0; other < SIDE; other++)
      if (map.find([one, other / 2]) !== one * SIDE + other) throw new Error(`${one}, ${other / 2}`);
});
