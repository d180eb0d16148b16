import type { Generator } from '../generator/generator.ts';
import type { Options } from '../options.ts';

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

/** A table of the report; all columns but the first contain figures. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface ScenarioReport {
  readonly tables: readonly Table[];
  /** The figures for the goals: one value per round. */
  readonly figures: Readonly<Record<string, readonly number[]>>;
  /** The rounds in which the host stood still, from 1; their figures are kept and marked. */
  readonly disturbedRounds?: readonly number[];
  readonly picture?: { readonly name: string; readonly svg: string };
  /** A sentence for the report. */
  readonly note?: string;
  /** All measurements, for the JSON file. */
  readonly raw: unknown;
}

/** A scenario that has run. */
export interface Finished {
  readonly scenario: Scenario;
  readonly report: ScenarioReport;
}
