/** The labels of a walk: more than fit at first, many of one state, and those that are worth to be gone on from. */
import { expect, test } from 'vitest';
import { Labels, NONE, Reached, waysBefore } from '../src/choose/labels.ts';

const SLOTS = 2;
const SIDE = 120;

function reached(state: readonly number[], value: number, bound = value): Reached {
  const own = new Reached(SLOTS);
  own.state.set(state);
  own.set(value, 0, 0, 0, 0);
  own.bound = bound;
  return own;
}

test('every state is found among thousands, also where two have one hash', () => {
  const labels = new Labels(SLOTS);
  for (let one = 0; one < SIDE; one++)
    for (let other = 0; other < SIDE; other++) {
      const own = reached([one, other / 2], one * SIDE + other);
      if (labels.find(own.state) !== NONE) throw new Error(`${own.state} was found`);
      labels.addFirst(own, 0, 0);
    }
  for (let label = 0; label < SIDE * SIDE; label++) {
    const own = new Reached(SLOTS);
    labels.read(label, own);
    if (labels.find(own.state) !== label || own.value !== label) throw new Error(`label ${label}`);
  }
  labels.clear();
  expect([labels.count, labels.find(new Float64Array(SLOTS))]).toEqual([0, NONE]);
});

test('of one state those go on that save little less than the best of it', () => {
  const labels = new Labels(SLOTS);
  const add = (state: readonly number[], value: number): void => {
    const own = reached(state, value);
    const first = labels.find(own.state);
    if (first === NONE) labels.addFirst(own, 0, 0);
    else labels.add(own, 0, 0, first);
  };
  add([1, 0], 10);
  add([2, 0], 3);
  add([1, 0], 15);
  add([1, 0], 12);
  expect(labels.within(3)).toEqual([1, 2, 3]);
  expect(labels.within(0)).toEqual([1, 2]);
  expect(labels.within(Number.POSITIVE_INFINITY)).toEqual([0, 1, 2, 3]);
});

test('a way that is put in the place of another one counts in its stead, even if it saves less', () => {
  const labels = new Labels(SLOTS);
  const first = reached([4, 1], 20, 30);
  labels.find(first.state);
  labels.addFirst(first, 5, 6);
  labels.put(0, reached([4, 1], 19, 29), 7, 8);
  expect([labels.count, labels.valueOf(0), labels.boundOf(0), labels.within(0)]).toEqual([1, 19, 29, [0]]);
  expect(waysBefore([labels.links()], 0)).toEqual([8]);
});

test('the ways of a label are those of the labels before it', () => {
  const links = [0, 1].map((line) => {
    const labels = new Labels(SLOTS);
    for (let label = 0; label < 100; label++) labels.add(reached([0, 0], 0), 99 - label, label + 1000 * line, label);
    return labels.links();
  });
  expect(waysBefore(links, 30)).toEqual([69, 1030]);
});

test('the highest bound comes first, and of bounds alike the label that saves most already', () => {
  const labels = new Labels(SLOTS);
  for (const bound of [2, 5, 5, 9]) labels.add(reached([0, 0], 0, bound), 0, 0, labels.count);
  labels.add(reached([0, 0], 4, 5), 0, 0, labels.count);
  expect([0, 1, 2, 3, 4].sort((a, b) => labels.comparePromises(a, b))).toEqual([3, 4, 1, 2, 0]);
});
