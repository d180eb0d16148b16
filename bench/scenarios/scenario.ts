import type { ClosedResult, OpenResult } from '../generator/protocol.ts';
import type { Generator } from '../generator/remote.ts';
import type { Options } from '../options.ts';
import type { Picture } from '../report/picture.ts';
import type { Table } from '../report/table.ts';

/** What a scenario works with. */
export interface Stage {
  readonly options: Options;
  readonly generator: Generator;
  /** Says what is going on: long work shows that it lives. */
  readonly say: (line: string) => void;
}

export interface Scenario {
  readonly name: string;
  /** One sentence: what is sent, and what is measured. */
  readonly about: string;
  /** Runs only when it is named. */
  readonly isOnDemand?: true;
  readonly run: (stage: Stage) => Promise<ScenarioReport>;
}

export interface ScenarioReport {
  readonly tables: readonly Table[];
  /** Figures that goals are judged by: one value per round. */
  readonly figures: Readonly<Record<string, readonly number[]>>;
  readonly pictures: readonly Picture[];
  /** Sentences for the report. */
  readonly notes: readonly string[];
  /** Everything that was measured, for the JSON file. */
  readonly raw: unknown;
}

/** CPU time per request, microseconds, as the operating system booked it on each process. */
export interface CpuPerCall {
  readonly contestantUs: number;
  readonly redisUs: number;
  readonly generatorUs: number;
}

export interface ClosedMeasurement extends ClosedResult {
  /** Answers with 200: a refusal is quick, and no work done. */
  readonly perSecond: number;
  readonly cpu: CpuPerCall;
  readonly residentBytes: number;
}

export interface OpenMeasurement extends OpenResult {
  readonly cpu: CpuPerCall;
  readonly residentBytes: number;
}
