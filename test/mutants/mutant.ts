export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A change of one operator, condition or statement of a source file, and what the tests said to it. */
export interface Mutant {
  readonly file: string;
  /** Where the change begins and ends in the source; lines and columns count from 1. */
  readonly start: Place;
  readonly end: Place;
  /** The name of the change, such as `EqualityOperator`. */
  readonly change: string;
  readonly original: string;
  readonly replacement: string;
  readonly isFound: boolean;
  /** The lines around a change of a single sign, as they were and as they are changed: the sign alone says too little. */
  readonly lines?: { readonly original: string; readonly replacement: string };
}

/** What a run of one file found. */
export interface FileResult {
  readonly file: string;
  /** Fingerprints of the source and of the tests: a later run repeats nothing that is the same. */
  readonly source: string;
  readonly tests: string;
  readonly mutants: readonly Mutant[];
}

/** A file that is to be run, and where its result goes. */
export interface Order {
  readonly file: string;
  readonly source: string;
  readonly tests: string;
  readonly path: string;
  /** Tests with a real Redis or a service, for the changes that the unit tests leave. */
  readonly systemTests: readonly string[];
  /** What an earlier run of the same source found: only what survived it is run again. */
  readonly earlier?: FileResult;
}

/** Distinguishes the changes of one source. */
export function keyOf({ file, start, end, replacement }: Mutant): string {
  return JSON.stringify([file, start.line, start.column, end.line, end.column, replacement]);
}

/** A change that no test can find, because nothing depends on it; a person has judged it. */
export interface Judgement {
  readonly file: string;
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
}

export function isJudged(mutant: Mutant, judgements: readonly Judgement[]): boolean {
  const { original, replacement } = mutant.lines ?? mutant;
  return judgements.some(
    (judgement) =>
      judgement.file === mutant.file && judgement.original === original && judgement.replacement === replacement,
  );
}
