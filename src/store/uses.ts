import { type CounterToken, counterToken } from './keys.ts';

/** Uses of limits and grants, and the texts in which Redis keeps them. */

/** Units of one limited benefit that an answer takes. */
export interface Use {
  readonly usageKey: string;
  readonly units: number;
  readonly limit: number;
  /** One counter for all members of the programme, or at the venue; absent for a member's own. */
  readonly of?: 'programme' | 'venue';
}

/** Units that a calculation takes of a limit over all members. */
export interface CommonUse extends Use {
  readonly counter: CounterToken;
}

/** Where a limit over all members is counted: for the whole programme, or for each venue by itself. */
export interface CommonPlace {
  readonly programmeId: string;
  readonly venueId: string;
}

/** The counter of a limit over all members at a place. */
export function counterAt({ programmeId, venueId }: CommonPlace, { usageKey, of }: Pick<Use, 'usageKey' | 'of'>) {
  return counterToken(programmeId, of === 'venue' ? venueId : undefined, usageKey);
}

/** `usageKey=units/limit`. */
export function useText({ usageKey, units, limit }: Pick<Use, 'usageKey' | 'units' | 'limit'>): string {
  return `${usageKey}=${units}/${limit}`;
}

/** `usageKey=units/limit`, separated by blanks. */
export function usesText(uses: readonly Use[]): string {
  return uses.map(useText).join(' ');
}

export function readUses(text: string): Use[] {
  return [...text.matchAll(/(\S+)=(\d+)\/(\d+)/g)].map(([, usageKey = '', units, limit]) => ({
    usageKey,
    units: Number(units),
    limit: Number(limit),
  }));
}

/** `counter/usageKey=units/limit`, separated by blanks. */
export function commonText(uses: readonly CommonUse[]): string {
  return uses.map((use) => `${use.counter}/${useText(use)}`).join(' ');
}

export function readCommonUses(text: string): CommonUse[] {
  return readUses(text).map(({ usageKey: named, ...use }) => {
    const [, counter, usageKey = ''] = /^([\w-]+)\/(.*)$/.exec(named) ?? [];
    return { ...use, counter: counter as CounterToken, usageKey };
  });
}

/** Units by usage key. */
export function unitsOf(uses: readonly Use[]): Map<string, number> {
  return new Map(uses.map(({ usageKey, units }) => [usageKey, units]));
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
  return { calculationId, deadlineMs: Number.parseInt(text, 10), units: unitsOf(readUses(text)) };
}
