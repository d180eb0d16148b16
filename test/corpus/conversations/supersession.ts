import { BERGEN, OSLO } from '../configuration.ts';
import type { Theme } from '../talk.ts';
import { ONE, steps, TWO } from './steps.ts';

/** A basket that takes the place of an earlier one: its hold, and what becomes of the earlier one. */
export const SUPERSESSION: Theme = {
  'the hold goes over to the next basket': steps(
    ONE,
    'first',
    'beside',
    'second > first',
    'second > first',
    'sell second',
  ),
  'a chain of baskets': steps(
    { anna: ['twice'] },
    ...['1', '2 > 1', '3 > 2', '4 > 3', 'beside', 'sell 4 cancelled', 'sell beside'],
  ),
  'a superseded one is sold all the same': steps(ONE, 'first', 'second > first', 'sell first', 'sell second', 'third'),
  'a superseded one is cancelled, and replayed': steps(
    ONE,
    'first',
    'second > first',
    'sell first cancelled',
    'first',
    'beside',
  ),
  'two successors of one': steps(ONE, 'first', 'second > first', 'third > first', 'sell second'),
  'an unknown one, which comes afterwards': steps(ONE, 'second > first', 'first', 'sell second cancelled', 'third'),
  'one that is sold': steps(ONE, 'first', 'sell first', 'second > first', 'sell second'),
  'one that was cancelled': steps(ONE, 'first', 'sell first cancelled', 'second > first'),
  'another card at the same venue': steps(
    TWO,
    'first',
    'second > first by berit',
    'third',
    'sell second',
    'sell first',
  ),
  'another card, and a member whom nobody knows': steps(ONE, 'first', 'second > first by stranger', 'third > second'),
  'there and back again': steps(TWO, '1', '2 > 1 by berit', '3 > 2', 'sell 3', '4 by berit'),
  'one of another venue': async (talk) => {
    await steps(TWO, 'first')(talk);
    const more = { supersedesCalculationId: talk.id('first'), context: BERGEN };
    await talk.ring('second', 'anna', [{}], more);
    await talk.ring('third', 'berit', [{}], more);
    await talk.ring('fourth', 'anna');
  },
  'an unchanged basket supersedes, and is superseded': async (talk) => {
    await steps({ anna: ['coffee-29', 'once'] }, 'first')(talk);
    await talk.ring('second', 'anna', [{ noDiscount: true }], { supersedesCalculationId: talk.id('first') });
    await talk.ring('third', 'anna', [{}], { supersedesCalculationId: talk.id('second') });
  },
  'a successor that is refused releases nothing': async (talk) => {
    await steps(ONE, 'first')(talk);
    const supersedesCalculationId = talk.id('first');
    await talk.ring('second', 'anna', [{}], { supersedesCalculationId, currency: 'EUR' });
    await talk.ring('second', 'anna', [{}], { supersedesCalculationId, context: { ...OSLO, baxId: '1' } });
    await talk.ring('beside', 'anna');
  },
};
