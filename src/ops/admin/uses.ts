/** Units of one limited benefit in one period, or of a grant. */
export interface UseWords {
  readonly benefitId: string;
  readonly grantId?: string;
  readonly period: string;
  readonly units: number;
  readonly limit: number;
}

/** Parses `usageKey=units/limit`, separated by blanks, from the store or the event stream. */
export function readUses(text: string): UseWords[] {
  return [...text.matchAll(/(\S+):(\S+)=(\d+)\/(\d+)/g)].map(([, name = '', period = '', units, limit]) => {
    const [benefitId = '', grantId] = name.split('/');
    return {
      benefitId,
      ...(grantId !== undefined && { grantId }),
      ...{ period, units: Number(units), limit: Number(limit) },
    };
  });
}
