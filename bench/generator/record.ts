import { HTTP_OK } from '@loyalty/contract/errors';
import { type Latencies, LatencyHistogram } from '../../packages/tools/src/load/latencies.ts';
import type { SchedulePart } from '../../packages/tools/src/load/pacer.ts';
import type { RequestClass } from './mix.ts';

const SLICE_MS = 100;

/** 429 and 503: the service is busy, and says so. */
const REFUSALS = [429, 503];

/** A part of the schedule with independent random requests, `perSecond` on average. */
export interface Phase extends SchedulePart {
  readonly name: string;
}

export interface PhaseResult {
  readonly name: string;
  readonly seconds: number;
  readonly sent: number;
  /** Answers with 200, per class. */
  readonly accepted: Readonly<Partial<Record<RequestClass, Latencies>>>;
  /** The same over all classes. */
  readonly acceptedAll: Latencies;
  /** Answers with 429 or 503, over all classes. */
  readonly refused: Latencies;
}

/** The results of the requests that were due in one slice of time. */
export interface Slice {
  refused: number;
  /** Answered otherwise, or not at all. */
  failed: number;
  worstAcceptedUs: number;
}

export interface Slices {
  readonly sliceMs: number;
  readonly slices: readonly Slice[];
}

/** The results of an open loop, per phase and per slice of time in which a request was due. */
export class OpenLoopRecord {
  readonly #phases;
  readonly #slices: Slice[] = [];
  /** The instant at which the first request was due; each phase begins where the one before ends. */
  #startUs: number | undefined;

  constructor(phases: readonly Phase[]) {
    this.#phases = phases.map(({ name, seconds }) => ({
      name,
      seconds,
      sent: 0,
      accepted: new Map<RequestClass, LatencyHistogram>(),
      acceptedAll: new LatencyHistogram(),
      refused: new LatencyHistogram(),
    }));
  }

  /** Notes a request that was due at this instant. */
  sent(dueUs: number): void {
    this.#startUs ??= dueUs;
    this.#phaseOf(dueUs).sent += 1;
    this.#sliceOf(dueUs);
  }

  /** Notes that nobody waits any longer for a request, or that its connection ended. */
  lost(dueUs: number): void {
    this.#sliceOf(dueUs).failed += 1;
  }

  answered(kind: RequestClass, status: number, dueUs: number, latencyUs: number): void {
    const [phase, slice] = [this.#phaseOf(dueUs), this.#sliceOf(dueUs)];
    if (status === HTTP_OK) {
      const histogram = phase.accepted.get(kind) ?? new LatencyHistogram();
      phase.accepted.set(kind, histogram);
      for (const one of [histogram, phase.acceptedAll]) one.record(latencyUs);
      slice.worstAcceptedUs = Math.max(slice.worstAcceptedUs, latencyUs);
    } else if (REFUSALS.includes(status)) {
      phase.refused.record(latencyUs);
      slice.refused += 1;
    } else slice.failed += 1;
  }

  summarize(): Slices & { readonly phases: PhaseResult[] } {
    const phases = this.#phases.map(({ accepted, acceptedAll, refused, ...phase }) => ({
      ...phase,
      accepted: Object.fromEntries([...accepted].map(([kind, histogram]) => [kind, histogram.summarize()])),
      acceptedAll: acceptedAll.summarize(),
      refused: refused.summarize(),
    }));
    return { phases, sliceMs: SLICE_MS, slices: this.#slices };
  }

  #phaseOf(dueUs: number) {
    let endUs = this.#startUs ?? dueUs;
    const at = this.#phases.findIndex(({ seconds }) => {
      endUs += seconds * 1e6;
      return dueUs < endUs;
    });
    return this.#phases.at(at)!;
  }

  /** A slice in which nothing was due is there too, so that slices tell the time. */
  #sliceOf(dueUs: number): Slice {
    const at = Math.floor((dueUs - (this.#startUs ?? dueUs)) / (SLICE_MS * 1000));
    while (this.#slices.length <= at) this.#slices.push({ refused: 0, failed: 0, worstAcceptedUs: 0 });
    return this.#slices[at]!;
  }
}
