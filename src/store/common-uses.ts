import { type CounterToken, counterToken } from './keys.ts';
import { type Use, useText } from './uses.ts';

/** Uses of limits over all members, and the text in which a calculation's record keeps them. */

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

/** `counter/usageKey=units/limit`, separated by blanks. */
export function commonText(uses: readonly CommonUse[]): string {
  return uses.map((use) => `${use.counter}/${useText(use)}`).join(' ');
}

export function readCommonText(text: string): CommonUse[] {
  return [...text.matchAll(/([\w-]+)\/(\S+)=(\d+)\/(\d+)/g)].map(([, counter, usageKey = '', units, limit]) => ({
    ...{ counter: counter as CounterToken, usageKey },
    ...{ units: Number(units), limit: Number(limit) },
  }));
}

/** All uses of a calculation, `usageKey=units/limit` separated by blanks, from its own and those of limits over all members. */
export function joinUses(own: string, common: string): string {
  if (common === '') return own;
  const words = readCommonText(common).map(useText).join(' ');
  return own === '' ? words : `${own} ${words}`;
}
