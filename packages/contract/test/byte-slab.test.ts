import { expect, test } from 'vitest';
import { ByteSlab, releaseLarge } from '../src/byte-slab.ts';

test('no cut reaches into another, whatever their sizes', () => {
  const slab = new ByteSlab();
  const lengths = Array.from({ length: 400 }, (_, turn) => (turn * 7919) % 16_500);
  const cuts = lengths.map((length, turn) => slab.take(length).fill(turn % 251));
  expect(cuts.map(({ length }) => length)).toEqual(lengths);
  expect(cuts.every((cut, turn) => cut.every((byte) => byte === turn % 251))).toBe(true);
});

test('large bytes are released at once; small ones, and those that share memory or that other threads see, are left alone', () => {
  const large = new Uint8Array(new ArrayBuffer(100_000)).fill(7);
  releaseLarge(large);
  expect([large.length, large.buffer.byteLength]).toEqual([0, 0]);
  const small = new Uint8Array(new ArrayBuffer(10_000)).fill(7);
  const part = new Uint8Array(new ArrayBuffer(100_000), 0, 50_000).fill(7);
  const shared = new Uint8Array(new SharedArrayBuffer(100_000)).fill(7);
  for (const bytes of [small, part, shared]) {
    releaseLarge(bytes);
    expect(bytes.at(-1)).toBe(7);
  }
});

test('a cut of a quarter of the memory is the largest that shares it, and the largest that is not released', () => {
  const slab = new ByteSlab();
  const QUARTER = 16 * 1024;
  const [first, ...others] = Array.from({ length: 4 }, () => slab.take(QUARTER));
  expect(first!.buffer.byteLength).toBe(4 * QUARTER);
  expect(others.every(({ buffer }) => buffer === first!.buffer)).toBe(true);
  expect(slab.take(1).buffer).not.toBe(first!.buffer);
  expect(slab.take(QUARTER + 1).buffer.byteLength).toBe(QUARTER + 1);
  const [kept, released] = [QUARTER, QUARTER + 1].map((length) => new Uint8Array(new ArrayBuffer(length)));
  releaseLarge(kept!);
  releaseLarge(released!);
  expect([kept!.length, released!.length]).toEqual([QUARTER, 0]);
});

test('cuts begin at multiples of eight, and no further apart than they must', () => {
  const slab = new ByteSlab();
  const places = [0, 1, 8, 9, 7].map((length) => slab.take(length).byteOffset);
  expect(places).toEqual([0, 0, 8, 16, 32]);
});
