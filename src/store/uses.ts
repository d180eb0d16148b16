/** Units of one limited benefit that an answer takes. */
export interface Use {
  readonly usageKey: string;
  readonly units: number;
  readonly limit: number;
  /** One counter for all members of the programme, or at the venue; absent for a member's own. */
  readonly of?: 'programme' | 'venue';
}

/** `usageKey=units/limit`. */
export function useText({ usageKey, units, limit }: Pick<Use, 'usageKey' | 'units' | 'limit'>): string {
  return `${usageKey}=${units}/${limit}`;
}
