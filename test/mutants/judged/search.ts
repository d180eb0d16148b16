import type { Judgement } from '../mutant.ts';
import { FAST_PATH, judge } from './judge.ts';

const ROOM = 'packages/engine/src/choose';
const AGAIN = 'What is computed once would be computed again, to the same result.';
const OVERWRITTEN = 'What stands there at first is written over before it is read.';
const BEYOND = 'Beyond its end nothing is read.';
const NEVER_EQUAL = 'The two are never equal: one has a small part of its own.';

/** The search of components: its bounds, its ways and its walk. */
export const SEARCH: readonly Judgement[] = [
  ...judge(`${ROOM}/place.ts`, 'A state has no number of that name.', [
    ['[]', '["Stryker was here"]'],
    ['flag !== undefined', 'true'],
  ]),
  ...judge(`${ROOM}/saved.ts`, AGAIN, [
    ['!own', 'true'],
    ['this.#shares.add(quantities, own);', ';'],
    ['!parts', 'true'],
    ['this.#parts.set(offer, parts);', ';'],
    ['!(units in parts)', 'true'],
  ]),
  ...judge(`${ROOM}/saved.ts`, 'A list without entries adds none.', [
    ['own.cut.length > 0', 'true'],
    ['own.cut.length > 0', 'own.cut.length >= 0'],
  ]),
  ...judge(`${ROOM}/step.ts`, BEYOND, [
    ['k < slots.length', 'k <= slots.length'],
    ['s < sets.length', 's <= sets.length'],
  ]),
  ...judge(`${ROOM}/step.ts`, FAST_PATH, [
    ['k < slots.length', 'false'],
    ['{ const slot = slots[k]!; if (before[slot]! + amounts[k]! > capacities[slot]!) return false; }', '{}'],
    ['before[slot]! + amounts[k]! > capacities[slot]!', 'false'],
    ['before[slot]! + amounts[k]!', 'before[slot]! - amounts[k]!'],
    ['open !== 0', 'true'],
  ]),
  ...judge(`${ROOM}/step.ts`, 'What is equal is set to the same.', [['state[slot]! < used', 'state[slot]! <= used']]),
  ...judge(`${ROOM}/promises.ts`, 'Where it has all its units, no line gives it any more.', [
    ['taken >= offer.items', 'false'],
    ['taken >= offer.items', 'taken > offer.items'],
  ]),
  ...judge(`${ROOM}/spent-sums.ts`, FAST_PATH, [['couplings.sums.length === 0', 'false']]),
  ...judge(`${ROOM}/walk.ts`, NEVER_EQUAL, [
    ['bound + gain < least', 'bound + gain <= least'],
    ['reached.bound < least', 'reached.bound <= least'],
    ['beyondList >= least', 'beyondList > least'],
  ]),
  ...judge(`${ROOM}/walk.ts`, 'The two differ by more than a tolerance there.', [
    ['value > labels.valueOf(other)', 'value >= labels.valueOf(other)'],
  ]),
  ...judge(`${ROOM}/prices.ts`, NEVER_EQUAL, [['most < best.most - 1e-9', 'most <= best.most - 1e-9']]),
  ...judge(`${ROOM}/prices.ts`, 'A power of two is never 0.005.', [['scale >= LEAST_SCALE', 'scale > LEAST_SCALE']]),
  ...judge(`${ROOM}/prices.ts`, BEYOND, [
    ['slot < slots', 'slot <= slots'],
    ['slot < ofSlot.length', 'slot <= ofSlot.length'],
  ]),
  ...judge(`${ROOM}/prices.ts`, 'What is equal is averaged with its like, or set to the same.', [
    ['last.price < run.price', 'last.price <= run.price'],
    ['prices[at]! < next', 'prices[at]! <= next'],
    ['own[slot]! < 0', 'own[slot]! <= 0'],
  ]),
  ...judge(`${ROOM}/prices.ts`, OVERWRITTEN, [
    ['[]', '["Stryker was here"]'],
    ['() => 0', '() => undefined'],
  ]),
  ...judge(`${ROOM}/prices.ts`, FAST_PATH, [
    ['units === 0', 'false'],
    ['sets.length === 0', 'false'],
  ]),
  ...judge(`${ROOM}/most-on-line.ts`, OVERWRITTEN, [
    ['[]', '["Stryker was here"]'],
    ['[false, 0]', '[]'],
  ]),
  ...judge(`${ROOM}/most-on-line.ts`, FAST_PATH, [
    ['exclusive.length === 0', 'false'],
    ['shared.length < 2', 'false'],
  ]),
  ...judge(`${ROOM}/incumbent.ts`, OVERWRITTEN, [['[]', '["Stryker was here"]']]),
  ...judge(`${ROOM}/sets.ts`, 'Without a discount nothing is replaced.', [
    ['existing > 0', 'true'],
    ['existing > 0', 'existing >= 0'],
  ]),
  ...judge(`${ROOM}/problem.ts`, FAST_PATH, [['lines !== ofBasket', 'true']]),
  ...judge(`${ROOM}/problem.ts`, 'Of one there is no other, and its lines are its own.', [
    ['orders.length > 1', 'orders.length >= 1'],
    ['others.delete(first.touches);', ';'],
  ]),
  ...judge(`${ROOM}/draws.ts`, BEYOND, [['i < lines.length', 'i <= lines.length']]),
  ...judge(`${ROOM}/draws.ts`, 'Lines that are of neither half are neither bought nor given.', [
    [
      'Array.from({ length: count }, (_, i) => i).filter((i) => set.fitsBuy[i] || set.fitsGet[i])',
      'Array.from({ length: count }, (_, i) => i)',
    ],
    ['set.fitsBuy[i] || set.fitsGet[i]', 'true'],
  ]),
];
