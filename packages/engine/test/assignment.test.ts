import { describe, expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { Random } from '../../simulator/src/random.ts';
import { type Assignment, assignUnits } from '../src/choose/assignment.ts';
import type { AssignmentTask } from '../src/choose/flow.ts';

const CASES = timesCases(400);
const unbounded = (): boolean => true;

/** Tasks of small numbers, against trying everything. Larger ones are compared with the Hungarian algorithm (optimum.test.ts). */
describe('units that are dealt out to limited offers', () => {
  it('with shared limits gain what trying everything finds, and prices prove it', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const random = new Random(seed);
      const task = drawTask(random);
      const found = assignUnits(task, unbounded);
      expectPermitted(task, found, seed);
      expectProven(task, found, seed);
      if (task.units.length <= 4) expect(gainOf(task, found), `seed ${seed}`).toBe(tryEverything(task));
    }
  });

  it('are permitted and not called optimal where the work runs out', () => {
    let cut = 0;
    for (let seed = 1; seed <= CASES; seed++) {
      const random = new Random(seed);
      const task = drawTask(random);
      let all = 0;
      assignUnits(task, (operations) => {
        all += operations;
        return true;
      });
      // Every other time in the last operations, which find the prices.
      let left = random.between(0, 1) === 0 ? random.between(0, all) : all - random.between(0, 3);
      const found = assignUnits(task, (operations) => {
        left -= operations;
        return left >= 0;
      });
      expectPermitted(task, found, seed);
      expect(found.isOptimal, `seed ${seed}`).toBe(left >= 0);
      if (found.isOptimal) expectProven(task, found, seed);
      else cut += 1;
    }
    expect(cut).toBeGreaterThan(CASES / 10);
  });
});

const POOLS = 2;

function drawTask(random: Random): AssignmentTask {
  const lines = random.between(1, 5);
  const offers = random.between(1, 4);
  // Few different prices make many ties.
  const prices = Array.from({ length: lines }, () => random.between(1, random.between(0, 1) === 0 ? 4 : 999));
  const percents = Array.from({ length: offers }, () => random.between(1, 9));
  const isLoose = random.between(0, 1) === 0;
  const gains = prices.flatMap((price) =>
    percents.map((percent) => {
      if (random.between(0, 4) === 0) return -random.between(0, 3);
      return isLoose ? random.between(1, 50) : price * percent;
    }),
  );
  return {
    units: prices.map(() => random.between(1, 3)),
    capacities: percents.map(() => (random.between(0, 9) === 0 ? 30 : random.between(0, 4))),
    poolOf: percents.map(() => (random.between(0, 2) > 0 ? random.between(0, POOLS - 1) : undefined)),
    poolCapacities: Array.from({ length: POOLS }, () => random.between(0, 5)),
    gains,
    tieCosts: percents.map(() => random.between(0, 3)),
  };
}

function tryEverything({ units, capacities, poolOf, poolCapacities, gains }: AssignmentTask): number {
  const single = units.flatMap((count, line) => new Array<number>(count).fill(line));
  const left = [...capacities];
  const leftInPool = [...poolCapacities];
  const known = new Map<string, number>();
  const best = (at: number): number => {
    if (at === single.length) return 0;
    const key = `${at} ${left} ${leftInPool}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    let most = best(at + 1);
    capacities.forEach((_, offer) => {
      const pool = poolOf[offer];
      const gain = gains[single[at]! * capacities.length + offer]!;
      if (gain <= 0 || left[offer]! < 1 || (pool !== undefined && leftInPool[pool]! < 1)) return;
      left[offer]! -= 1;
      if (pool !== undefined) leftInPool[pool]! -= 1;
      most = Math.max(most, gain + best(at + 1));
      left[offer]! += 1;
      if (pool !== undefined) leftInPool[pool]! += 1;
    });
    known.set(key, most);
    return most;
  };
  return best(0);
}

/** The sum of the gains of all units that offers take. */
function gainOf({ gains }: AssignmentTask, { amounts }: Assignment): number {
  return Array.from(gains).reduce((sum, gain, at) => sum + gain * amounts[at]!, 0);
}

/** No offer, pool or line gives or takes more than it has. */
function expectPermitted(task: AssignmentTask, { amounts }: Assignment, seed: number): void {
  const offers = task.capacities.length;
  const perOffer = task.capacities.map((_, offer) =>
    task.units.reduce((sum, _units, line) => sum + amounts[line * offers + offer]!, 0),
  );
  task.units.forEach((units, line) => {
    let taken = 0;
    for (let offer = 0; offer < offers; offer++) {
      const amount = amounts[line * offers + offer]!;
      expect(amount, `seed ${seed}`).toBeGreaterThanOrEqual(0);
      if (amount > 0) expect(task.gains[line * offers + offer], `seed ${seed}`).toBeGreaterThan(0);
      taken += amount;
    }
    expect(taken, `seed ${seed}`).toBeLessThanOrEqual(units);
  });
  for (const [offer, taken] of perOffer.entries()) {
    expect(taken, `seed ${seed}`).toBeLessThanOrEqual(task.capacities[offer]!);
  }
  task.poolCapacities.forEach((capacity, pool) => {
    const taken = perOffer.reduce((all, own, offer) => all + (task.poolOf[offer] === pool ? own : 0), 0);
    expect(taken, `seed ${seed}`).toBeLessThanOrEqual(capacity);
  });
}

/** By weak duality nothing gains more than the lines at these prices and the capacities at theirs. */
function expectProven(task: AssignmentTask, found: Assignment, seed: number): void {
  const { offerPrices, poolPrices, isOptimal } = found;
  const gain = gainOf(task, found);
  expect(isOptimal, `seed ${seed}`).toBe(true);
  let bound = 0;
  task.capacities.forEach((capacity, offer) => {
    if (capacity > 0 && offerPrices[offer]! > 0) bound += capacity * offerPrices[offer]!;
  });
  task.poolCapacities.forEach((capacity, pool) => {
    if (capacity > 0) bound += capacity * poolPrices[pool]!;
  });
  task.units.forEach((units, line) => {
    const values = task.capacities.map((capacity, offer) => {
      const pool = task.poolOf[offer];
      const isOpen = capacity > 0 && (pool === undefined || task.poolCapacities[pool]! > 0);
      const price = offerPrices[offer]! + (pool === undefined ? 0 : poolPrices[pool]!);
      return isOpen ? task.gains[line * task.capacities.length + offer]! - price : 0;
    });
    bound += units * Math.max(0, ...values);
  });
  expect(bound, `seed ${seed}`).toBeGreaterThanOrEqual(gain - 1e-6);
  expect(bound, `seed ${seed}`).toBeLessThan(gain + 1);
}
