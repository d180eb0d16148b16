import { describe, expect, it } from 'vitest';
import { timesCases } from '../../../test/support/effort.ts';
import { Random } from '../../simulator/src/random.ts';
import { type Assignment, assignUnits, mostOfGains } from '../src/choose/assignment.ts';
import type { AssignmentTask } from '../src/choose/flow.ts';
import { largestAssignment } from './support/hungarian.ts';

const CASES = timesCases(1_500);
const unbounded = (): boolean => true;

describe('units are dealt out to limited offers', () => {
  it('the dearest unit gets the largest percentage where every offer fits every unit', () => {
    const prices = [1_000, 900, 100];
    const percents = [10, 50];
    const gains = prices.flatMap((price) => percents.map((percent) => (price * percent) / 100));
    const found = assignUnits({ ...taskOf([1, 1, 1], [1, 1]), gains }, unbounded);
    expect(found).toMatchObject({ gain: 500 + 90, isOptimal: true });
    expect([...(found.amounts as Float64Array)]).toEqual([0, 1, 1, 0, 0, 0]);
  });

  it('an offer hands a unit on where another one serves it nearly as well', () => {
    // Both lines want the first offer; the first line loses little with the second one.
    const gains = [100, 95, 90, 10];
    expect(assignUnits({ ...taskOf([1, 1], [1, 1]), gains }, unbounded).gain).toBe(95 + 90);
  });

  it('offers that share a limit take no more than it has left together', () => {
    const task = { ...taskOf([2, 2], [3, 3]), poolOf: [0, 0], poolCapacities: [3], gains: [50, 20, 40, 60] };
    expect(assignUnits(task, unbounded)).toMatchObject({ gain: 60 * 2 + 50, poolPrices: [50], offerPrices: [0, 0] });
  });

  it('an offer passes a shared limit on where another one of it serves its unit nearly as well', () => {
    // The first line leaves the second offer for the third one, so that the limit of the first two is free for the second line.
    const task = { ...taskOf([1, 2], [2, 1, 1]), poolOf: [0, 0, undefined], poolCapacities: [1] };
    const found = assignUnits({ ...task, gains: [0, 10, 8, 9, 0, 0] }, unbounded);
    expect([...(found.amounts as Float64Array)]).toEqual([0, 0, 1, 1, 0, 0]);
    // With room of its own in the first offer, and none left of the limit, the second unit stays where it is.
    const more = { ...taskOf([2, 3], [3, 2, 1]), poolOf: [0, 0, undefined], poolCapacities: [2] };
    const both = assignUnits({ ...more, gains: [0, 10, 8, 9, 0, 0] }, unbounded);
    expect([...(both.amounts as Float64Array)]).toEqual([0, 1, 1, 1, 0, 0]);
  });

  it('of equal gains the units cost as little as they can in sum', () => {
    const task = { ...taskOf([1], [1, 1]), gains: [70, 70], tieCosts: [3, 1] };
    expect([...(assignUnits(task, unbounded).amounts as Float64Array)]).toEqual([0, 1]);
  });

  it('nothing is taken without a gain, without units left or without offers', () => {
    expect(assignUnits({ ...taskOf([1], [1, 1]), gains: [0, -5] }, unbounded).gain).toBe(0);
    expect(assignUnits({ ...taskOf([4], [0]), gains: [9] }, unbounded)).toMatchObject({ gain: 0, isOptimal: true });
    expect(assignUnits({ ...taskOf([4], []), gains: [] }, unbounded)).toMatchObject({ gain: 0, isOptimal: true });
  });

  it('an offer whose shared limit has nothing left costs nothing by itself', () => {
    const task = { ...taskOf([2], [3, 1]), poolOf: [0, undefined], poolCapacities: [0], gains: [90, 20] };
    const found = assignUnits(task, unbounded);
    expect(found).toMatchObject({ gain: 20, poolPrices: [Number.POSITIVE_INFINITY], offerPrices: [0, 20] });
  });

  it('of the largest gains the larger one counts, whatever its use costs', () => {
    const most = mostOfGains(2);
    const task = { ...taskOf([1, 1], [1, 1]), gains: [most, most - 1, most - 3, most - 4], tieCosts: [5, 0] };
    const found = assignUnits(task, unbounded);
    expect(found.gain).toBe(2 * most - 4);
    expect([
      ...(assignUnits({ ...task, units: [1], gains: [most, most - 1] }, unbounded).amounts as Float64Array),
    ]).toEqual([1, 0]);
  });

  it('a line without end of units fills every offer that gains by it', () => {
    const task = { ...taskOf([1_000_000], [3, Number.POSITIVE_INFINITY]), gains: [80, 20] };
    expect(assignUnits(task, unbounded).gain).toBe(3 * 80 + 999_997 * 20);
  });
});

describe('random tasks', () => {
  it('gain what the Hungarian algorithm finds, and prices prove it', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const random = new Random(seed);
      const task = drawTask(random, 0);
      const found = assignUnits(task, unbounded);
      expectPermitted(task, found, seed);
      expect(found.gain, `seed ${seed}`).toBe(largestAssignment(unitsByPlaces(task)));
      expectProven(task, found, seed);
    }
  });

  it('with shared limits gain what trying everything finds, and prices prove it', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const random = new Random(seed);
      const task = drawTask(random, 2);
      const found = assignUnits(task, unbounded);
      expectPermitted(task, found, seed);
      expectProven(task, found, seed);
      if (task.units.length <= 4) expect(found.gain, `seed ${seed}`).toBe(tryEverything(task));
    }
  });

  it('gain the same and cost ties the same in every order of lines and offers', () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const random = new Random(seed);
      const task = drawTask(random, 2);
      const turned = reversed(task);
      const [found, other] = [assignUnits(task, unbounded), assignUnits(turned, unbounded)];
      expect([other.gain, tieCostOf(turned, other)], `seed ${seed}`).toEqual([found.gain, tieCostOf(task, found)]);
    }
  });

  it('are permitted and not called optimal where the work runs out', () => {
    let cut = 0;
    for (let seed = 1; seed <= CASES; seed++) {
      const random = new Random(seed);
      const task = drawTask(random, 2);
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

  it('of sixty offers on two hundred lines take no more operations than a few milliseconds hold', () => {
    const random = new Random(7);
    const units = Array.from({ length: 200 }, () => random.between(1, 9));
    const capacities = Array.from({ length: 60 }, () => random.between(1, 20));
    const percents = capacities.map(() => random.between(1, 60));
    const gains = units.flatMap(() => {
      const price = random.between(100, 9_999);
      return percents.map((percent) => (random.between(0, 3) === 0 ? 0 : price * percent));
    });
    let operations = 0;
    const found = assignUnits({ ...taskOf(units, capacities), gains }, (more) => {
      operations += more;
      return true;
    });
    expect(found.isOptimal).toBe(true);
    expect(operations).toBeLessThan(2_000_000);
  });
});

function taskOf(units: readonly number[], capacities: readonly number[]): Omit<AssignmentTask, 'gains'> {
  const none = capacities.map(() => undefined);
  return { units, capacities, poolOf: none, poolCapacities: [], tieCosts: capacities.map(() => 0) };
}

function drawTask(random: Random, pools: number): AssignmentTask {
  const lines = random.between(1, pools > 0 ? 5 : 8);
  const offers = random.between(1, pools > 0 ? 4 : 6);
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
    poolOf: percents.map(() => (pools > 0 && random.between(0, 2) > 0 ? random.between(0, pools - 1) : undefined)),
    poolCapacities: Array.from({ length: pools }, () => random.between(0, 5)),
    gains,
    tieCosts: percents.map(() => random.between(0, 3)),
  };
}

/** A row for every unit of a line, a column for every unit of an offer. */
function unitsByPlaces({ units, capacities, gains }: AssignmentTask): number[][] {
  return units.flatMap((count, line) =>
    Array.from({ length: count }, () =>
      capacities.flatMap((capacity, offer) =>
        new Array<number>(capacity).fill(gains[line * capacities.length + offer]!),
      ),
    ),
  );
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

function reversed(task: AssignmentTask): AssignmentTask {
  return {
    units: task.units.toReversed(),
    capacities: task.capacities.toReversed(),
    poolOf: task.poolOf.toReversed(),
    poolCapacities: task.poolCapacities,
    gains: Array.from(task.gains).toReversed(),
    tieCosts: task.tieCosts.toReversed(),
  };
}

function tieCostOf({ units, tieCosts }: AssignmentTask, { amounts }: Assignment): number {
  return units.reduce(
    (sum, _, line) =>
      sum + tieCosts.reduce((own, cost, offer) => own + cost * amounts[line * tieCosts.length + offer]!, 0),
    0,
  );
}

/** No offer, pool or line gives or takes more than it has, and the gain is the sum of what is taken. */
function expectPermitted(task: AssignmentTask, { amounts, gain }: Assignment, seed: number): void {
  const offers = task.capacities.length;
  const perOffer = task.capacities.map((_, offer) =>
    task.units.reduce((sum, _units, line) => sum + amounts[line * offers + offer]!, 0),
  );
  let sum = 0;
  task.units.forEach((units, line) => {
    let taken = 0;
    for (let offer = 0; offer < offers; offer++) {
      const amount = amounts[line * offers + offer]!;
      expect(amount, `seed ${seed}`).toBeGreaterThanOrEqual(0);
      if (amount > 0) expect(task.gains[line * offers + offer], `seed ${seed}`).toBeGreaterThan(0);
      taken += amount;
      sum += amount * task.gains[line * offers + offer]!;
    }
    expect(taken, `seed ${seed}`).toBeLessThanOrEqual(units);
  });
  expect(sum, `seed ${seed}`).toBe(gain);
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
  const { gain, offerPrices, poolPrices, isOptimal } = found;
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
