/** Where goods came back, as the till said. */
export interface ReturnPlace {
  readonly venueId?: string;
  readonly cashRegisterId?: string;
  readonly clerkNumber?: number;
}

/** A return as it is kept. */
export interface BookedReturn {
  readonly returnId: string;
  /** When it was booked, by Redis' clock, ms since 1970; absent until it is. */
  readonly atMs?: number;
  /** Its place among the returns of the sale, from 1; absent until it is booked. */
  readonly number?: number;
  /** The answer that was given, which a repetition of the return is given again. */
  readonly answer: ReturnAnswer;
  /** Units of limits and grants given back, by usage key. */
  readonly givenBack: readonly (readonly [usageKey: string, units: number])[];
  /** Absent where the till did not say it, and of a return of an older version. */
  readonly returnedAt?: ReturnPlace | undefined;
}

/** What later returns of the sale are computed with; an answer has more, which is kept as it is. */
export interface ReturnAnswer {
  readonly refund: number;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number; readonly refund: number }[];
  /** What stayed of each benefit, and what was lost and gained. */
  readonly kept: readonly { readonly benefitId: string; readonly saved: number }[];
  readonly lost?: readonly { readonly benefitId: string; readonly saved: number }[];
  readonly gained?: readonly { readonly benefitId: string; readonly saved: number }[];
}
