import type { Theme } from '../talk.ts';
import { ONE, steps } from './steps.ts';

/** Holds of six seconds. Each conversation waits for the end of its own. */
export const EXPIRY: Theme = {
  'an expired unit is free again, and a late sale is beyond the limit': steps(
    ONE,
    ...['first', 'expired first', 'second', 'sell second', 'sell first', 'third'],
  ),
  'a late sale of a free unit': steps(ONE, 'first', 'expired first', 'sell first', 'sell first', 'second'),
  'a late cancellation, and a replay': steps(
    ONE,
    ...['first', 'expired first', 'first', 'sell first cancelled', 'second', 'sell second'],
  ),
  'a successor of an expired one': steps(ONE, 'first', 'expired first', 'second > first', 'sell second'),
  'an unlimited one expires too': steps(
    { anna: ['twenty'] },
    'first',
    'stranger by stranger',
    'expired first',
    'sell first',
  ),
  'a unit of all members': async (talk) => {
    talk.marks.push('first-two');
    for (const name of ['anna', 'berit']) await talk.member(name, [], { programmeId: 'first-two' });
    await steps(
      {},
      'anna by anna',
      'berit by berit',
      'expired anna',
      'expired berit',
      'again by anna',
      'sell again',
    )(talk);
    await steps({}, 'sell anna', 'sell berit')(talk);
    await talk.commonLimits('first-two');
  },
};
