import type { ClosedResult, OpenResult } from '../generator/protocol.ts';
import type { Generator } from '../generator/remote.ts';
import type { HostNoise } from '../machine/host-watch.ts';
import type { Options } from '../options.ts';
import type { Table } from '../report/table.ts';

/** The parameters of a scenario. */
export interface Stage {
  readonly options: Options;
  readonly generator: Generator;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
}

export interface Scenario {
  readonly name: string;
  /** One sentence about the load and the measurement. */
  readonly about: string;
  /** Set when it runs only by name. */
  readonly isOnDemand?: true;
  readonly run: (stage: Stage) => Promise<ScenarioReport>;
}

export interface ScenarioReport {
  readonly tables: readonly Table[];
  /** The figures for the goals: one value per round. */
  readonly figures: Readonly<Record<string, readonly number[]>>;
  /** The rounds in which the host stood still, from 1; their figures are kept and marked. */
  readonly disturbedRounds?: readonly number[];
  readonly picture?: { readonly name: string; readonly svg: string };
  /** Sentences for the report. */
  readonly notes: readonly string[];
  /** All measurements, for the JSON file. */
  readonly raw: unknown;
}

/** A scenario that has run. */
export interface Finished {
  readonly scenario: Scenario;
  readonly report: ScenarioReport;
}

/** CPU time per request in microseconds, from the operating system's accounts of each process. */
export interface CpuPerCall {
  readonly contestantUs: number;
  readonly redisUs: number;
  readonly generatorUs: number;
  /** CPU time of one `JSON.parse` of the call's body, measured right after the calls. */
  readonly parseUs: number;
}

export interface ClosedMeasurement extends ClosedResult {
  /** Answers with 200 per second; refusals do not count, because they are quick and no work. */
  readonly perSecond: number;
  readonly cpu: CpuPerCall;
  readonly host: HostNoise;
  readonly residentBytes: number;
}

export interface OpenMeasurement extends OpenResult {
  readonly cpu: CpuPerCall;
  readonly host: HostNoise;
  readonly residentBytes: number;
}
