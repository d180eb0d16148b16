/** Units of one limited benefit in one period. */
export interface UseWords {
  readonly benefitId: string;
  readonly period: string;
  readonly units: number;
  readonly limit: number;
}

/** Parses `benefitId:period=units/limit`, separated by blanks, from the store or the event stream. */
export function readUses(text: string): UseWords[] {
  return [...text.matchAll(/(\S+):(\S+)=(\d+)\/(\d+)/g)].map(([, benefitId = '', period = '', units, limit]) => ({
    benefitId,
    period,
    units: Number(units),
    limit: Number(limit),
  }));
}
