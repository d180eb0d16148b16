import type { LineFacts } from '../lines.ts';
import type { Couplings } from './couplings.ts';
import type { LineOption } from './line-options.ts';

/** The choice of a component: a way for each of its lines, in the order in which they are walked. */
export interface Model {
  readonly lines: readonly LineFacts[];
  readonly options: readonly (readonly LineOption[])[];
  readonly couplings: Couplings;
  /** Per line, per set: the next line stands at another place of its row, so what is given up to here is judged. */
  readonly endsPlace: readonly (readonly boolean[])[];
  /** False where some ways are not listed. */
  readonly isComplete: boolean;
  /** So many minor units a choice may save beyond what its ways say, by rounding. */
  readonly slack: number;
}
