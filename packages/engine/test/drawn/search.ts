import { findAnswerMismatch } from '@loyalty/contract/basket/identities';
import { Random } from '../../../simulator/src/random.ts';
import { type BasketToPrice, priceBasket } from '../../src/price.ts';
import type { Decision } from '../../src/types.ts';
import { breed, drawGenome, expressGenome, type Genome } from './genome.ts';

/** A seeded search for the basket that costs most CPU: drawn at random, the worst kept and bred. */

export interface Specimen {
  readonly genome: Genome;
  /** The least of several measurements, so that neither the compiler nor a neighbour counts: CPU-ms, unless said otherwise. */
  readonly cost: number;
  /** How it came about: the number of the draw under the seed. */
  readonly draw: number;
}

export interface Progress {
  readonly drawn: number;
  readonly worst: readonly Specimen[];
}

const KEPT = 24;
/** Part of all draws that begin from nothing. */
const FRESH = 0.3;
const REPETITIONS = 4;
const US_PER_MS = 1000;

/**
 * Draws until `isOver` says so and answers with the dearest. What is drawn depends on what was measured before, so only a
 * specimen repeats exactly, and it can be written down.
 */
export function searchDearest(
  seed: number,
  isOver: (progress: Progress) => boolean,
  measure: (input: BasketToPrice) => number = measureCpu,
): Progress {
  const random = new Random(seed);
  const worst: Specimen[] = [];
  let drawn = 0;
  while (!isOver({ drawn, worst })) {
    const isFresh = worst.length < 2 || random.chance(FRESH);
    const genome = isFresh ? drawGenome(random) : breed(random, choose(random, worst), choose(random, worst));
    const input = expressGenome(genome);
    drawn += 1;
    if (!input) continue;
    let cost = measure(input);
    const leastKept = worst.length < KEPT ? 0 : worst.at(-1)!.cost;
    for (let again = 1; again < REPETITIONS && cost > leastKept; again += 1) cost = Math.min(cost, measure(input));
    if (cost <= leastKept) continue;
    checkAnswer(input);
    worst.push({ genome, cost, draw: drawn });
    worst.sort((a, b) => b.cost - a.cost);
    worst.length = Math.min(worst.length, KEPT);
  }
  return { drawn, worst };
}

function choose(random: Random, worst: readonly Specimen[]): Genome {
  return (worst[random.below(worst.length)] as Specimen).genome;
}

/** CPU-ms of pricing once, with whatever the compiler and the collector spend meanwhile. */
function measureCpu(input: BasketToPrice): number {
  const begun = process.cpuUsage();
  priceBasket(input);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / US_PER_MS;
}

/** An answer may miss something, but is never wrong. */
export function checkAnswer(input: BasketToPrice): Decision {
  const decision = priceBasket(input);
  if (decision.status !== 'applied') return decision;
  const { calculationId } = input.basket;
  const { status, lines, orderDiscounts, totals } = decision;
  const fault = findAnswerMismatch(input.basket, { calculationId, status, lines, orderDiscounts, totals });
  if (fault) throw new Error(`An answer is wrong: ${JSON.stringify(fault)}`);
  return decision;
}
