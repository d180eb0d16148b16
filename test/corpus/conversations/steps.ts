/** Conversations whose baskets are all alike, each step a few words. */
import type { Conversation } from '../talk.ts';

/**
 * A conversation of members with these grants. Its steps:
 *   `first`               a basket of one line for the first member     `first by berit`        for another one
 *   `second > first`      one that supersedes another                   `second > first by berit`
 *   `sell first`          its sale event, `applied`                     `sell first cancelled`  with another status
 *   `expired first`       waits until its hold has ended
 */
export function steps(members: Readonly<Record<string, readonly string[]>>, ...words: readonly string[]): Conversation {
  return async (talk) => {
    const names = Object.entries(members);
    for (const [name, grants] of names) await talk.member(name, [...grants]);
    for (const step of words) {
      const [verb = '', label = '', status] = step.split(' ');
      if (verb === 'sell') await talk.sell(label, status);
      else if (verb === 'expired') await talk.untilState(label, 'expired');
      else {
        const [, earlier] = / > (\S+)/.exec(step) ?? [];
        const [, name = names[0]?.[0] ?? 'stranger'] = / by (\S+)/.exec(step) ?? [];
        const more = earlier === undefined ? {} : { supersedesCalculationId: talk.id(earlier) };
        await talk.ring(verb, name, [{}], more);
      }
    }
  };
}

/** A member with a benefit that is used up by one basket, and another one. */
export const ONE = { anna: ['once'] };
export const TWO = { anna: ['once'], berit: ['once'] };
