/** Units of one limited benefit that an answer takes. */
export interface Use {
  readonly usageKey: string;
  readonly units: number;
  readonly limit: number;
  /** One counter for all members of the programme, or at the venue; absent for a member's own. */
  readonly of?: 'programme' | 'venue';
}

/** Units by usage key, of words `usageKey=units/limit` separated by blanks. */
export function readUnits(text: string): Map<string, number> {
  return new Map([...text.matchAll(/(\S+)=(\d+)\//g)].map(([, usageKey = '', units]) => [usageKey, Number(units)]));
}

/** `usageKey=units/limit`. */
export function useText({ usageKey, units, limit }: Pick<Use, 'usageKey' | 'units' | 'limit'>): string {
  return `${usageKey}=${units}/${limit}`;
}

/** Units of limited benefits that an open calculation keeps for its sale. */
export interface Hold {
  readonly calculationId: string;
  readonly deadlineMs: number;
  /** Units held per usage key. */
  readonly units: ReadonlyMap<string, number>;
}

/** Parses `deadline usageKey=units/limit …`. */
export function parseHold(calculationId: string, text: string): Hold {
  return { calculationId, deadlineMs: Number.parseInt(text, 10), units: readUnits(text) };
}
