import { LatencyHistogram } from '../../packages/tools/src/load/latencies.ts';
import type { RequestClass } from '../load/mix.ts';
import type { RawAnswer } from './connection.ts';
import type { Phase, PhaseResult, Slice } from './protocol.ts';

const SLICE_MS = 100;

interface PhaseRecord {
  sent: number;
  readonly accepted: Map<RequestClass, LatencyHistogram>;
  readonly acceptedAll: LatencyHistogram;
  readonly refused: LatencyHistogram;
  readonly statuses: Map<number, number>;
  computedAgain: number;
}

/** The results of an open loop, per phase and per slice of time in which a request was due. */
export class OpenLoopRecord {
  readonly #phases: readonly Phase[];
  /** The instant at which the first request was due; each phase begins where the one before ends. */
  #startUs: number | undefined;
  readonly #records: readonly PhaseRecord[];
  readonly #slices: { accepted: number; refused: number; failed: number; worstAcceptedUs: number }[];

  constructor(phases: readonly Phase[]) {
    this.#phases = phases;
    this.#records = phases.map(() => ({
      sent: 0,
      accepted: new Map(),
      acceptedAll: new LatencyHistogram(),
      refused: new LatencyHistogram(),
      statuses: new Map(),
      computedAgain: 0,
    }));
    const seconds = phases.reduce((sum, phase) => sum + phase.seconds, 0);
    const count = Math.ceil((seconds * 1000) / SLICE_MS) + 1;
    this.#slices = Array.from({ length: count }, () => ({ accepted: 0, refused: 0, failed: 0, worstAcceptedUs: 0 }));
  }

  /** Notes a request that was due at this instant. */
  sent(dueUs: number): void {
    this.#startUs ??= dueUs;
    this.#recordOf(dueUs).sent += 1;
  }

  /** Records a request whose connection ended before its answer. */
  lost(dueUs: number): void {
    const slice = this.#sliceOf(dueUs);
    if (slice) slice.failed += 1;
  }

  answered(kind: RequestClass, answer: RawAnswer, dueUs: number, latencyUs: number): void {
    const record = this.#recordOf(dueUs);
    const slice = this.#sliceOf(dueUs);
    record.statuses.set(answer.status, (record.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status === 200) {
      record.acceptedAll.record(latencyUs);
      this.#histogramOf(record, kind).record(latencyUs);
      if (kind === 'replay' && !answer.isReplayed) record.computedAgain += 1;
      if (slice) slice.accepted += 1;
      if (slice) slice.worstAcceptedUs = Math.max(slice.worstAcceptedUs, latencyUs);
    } else if (answer.status === 429 || answer.status === 503) {
      record.refused.record(latencyUs);
      if (slice) slice.refused += 1;
    } else if (slice) slice.failed += 1;
  }

  summarize(): { phases: PhaseResult[]; sliceMs: number; slices: Slice[] } {
    const phases = this.#records.map((record, index) => {
      const { name, seconds } = this.#phases[index] as Phase;
      return {
        name,
        seconds,
        sent: record.sent,
        accepted: Object.fromEntries([...record.accepted].map(([kind, histogram]) => [kind, histogram.summarize()])),
        acceptedAll: record.acceptedAll.summarize(),
        refused: record.refused.summarize(),
        statuses: Object.fromEntries(record.statuses),
        computedAgain: record.computedAgain,
      };
    });
    return { phases, sliceMs: SLICE_MS, slices: this.#slices };
  }

  #recordOf(dueUs: number): PhaseRecord {
    let endUs = this.#startUs ?? dueUs;
    const at = this.#phases.findIndex(({ seconds }) => {
      endUs += seconds * 1e6;
      return dueUs < endUs;
    });
    return this.#records.at(at) as PhaseRecord;
  }

  #sliceOf(dueUs: number) {
    return this.#slices[Math.floor((dueUs - (this.#startUs ?? dueUs)) / (SLICE_MS * 1000))];
  }

  #histogramOf(record: PhaseRecord, kind: RequestClass): LatencyHistogram {
    const known = record.accepted.get(kind);
    if (known) return known;
    const histogram = new LatencyHistogram();
    record.accepted.set(kind, histogram);
    return histogram;
  }
}
