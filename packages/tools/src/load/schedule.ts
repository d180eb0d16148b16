import { Random } from '../../../simulator/src/random.ts';

/** A part of the schedule with independent random requests, `perSecond` on average. */
export interface SchedulePart {
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * When requests are due. Only how the instants are drawn is kept, because those of a day would fill the memory: each thread
 * draws them for itself, and the same seed draws the same ones.
 */
export interface Schedule {
  readonly parts: readonly SchedulePart[];
  readonly seed: number;
  /** The first part begins then, in microseconds of the machine's monotonic clock. */
  readonly startUs: number;
}

/** The instant at which each part ends, and the next one begins. */
export function partEndsUs({ parts, startUs }: Schedule): number[] {
  let endUs = startUs;
  return parts.map(({ seconds }) => {
    endUs += seconds * 1e6;
    return endUs;
  });
}

/** Draws the instants, ascending. Requests are independent, as those of tills, so the gaps between them are exponential. */
export function* dueInstants(schedule: Schedule): Generator<number, undefined> {
  const random = new Random(schedule.seed);
  let startUs = schedule.startUs;
  for (const [part, endUs] of partEndsUs(schedule).entries()) {
    const { perSecond } = schedule.parts[part]!;
    for (let at = startUs; ; ) {
      at += random.gap(perSecond) * 1e6;
      if (at >= endUs) break;
      yield at;
    }
    startUs = endUs;
  }
}
