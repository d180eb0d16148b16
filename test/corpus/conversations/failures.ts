import { BASKET_PATH, SALE_PATH } from '../../support/caller.ts';
import type { Talk, Theme } from '../talk.ts';

/** Whether a call found out itself that Redis stands still, or knew it from another, is of the moment. */
async function expectRefusal(talk: Talk, body: unknown, path = BASKET_PATH): Promise<void> {
  const answer = await talk.exchange(body, { path, is503: true });
  talk.note(`< ${answer.status} ${answer.code}, retry-after: ${answer.header('retry-after')}`);
}

/** Redis stands still, or holds something that is no answer. */
export const FAILURES: Theme = {
  'while Redis stands still nothing is done, and afterwards everything as before': async (talk) => {
    await talk.member('anna', ['once']);
    await talk.ring('first', 'anna');
    const { redis } = talk.stage;
    redis.pause();
    try {
      const event = { calculationId: talk.id('first'), status: 'applied', transactionId: 'at-the-standstill' };
      await expectRefusal(talk, talk.basket('first', 'anna'));
      await expectRefusal(talk, talk.basket('second', 'anna'));
      await expectRefusal(talk, event, SALE_PATH);
    } finally {
      redis.resume();
    }
    await talk.ring('second', 'anna');
    await talk.sell('first');
    await talk.ring('first', 'anna');
  },
  'a stored answer that was spoilt': async (talk) => {
    await talk.member('anna', ['once']);
    await talk.ring('first', 'anna');
    const [key] = await talk.stage.redis.client.keys(`*:answer:*:${talk.id('first')}`);
    await talk.stage.redis.client.set(key!, 'spoilt', 'KEEPTTL');
    await talk.ring('first', 'anna');
    await talk.sell('first');
  },
};
