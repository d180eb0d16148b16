import type { Answer } from '../../support/answer.ts';
import { SALE_PATH } from '../../support/caller.ts';
import { sleep } from '../../support/wait.ts';
import type { SendOptions, Talk, Theme } from '../talk.ts';

const MOST_CALLS = 400;

/** Sends the same call until it has this status: a token that comes back meanwhile is taken by a call that is not recorded. */
async function untilStatus(talk: Talk, status: number, body: unknown, options: SendOptions = {}): Promise<Answer> {
  for (let calls = 1; ; calls += 1) {
    const answer = await talk.exchange(body, options);
    if (answer.status === status || calls === MOST_CALLS) return answer;
    if (status === 200) await sleep(100);
  }
}

async function untilLimited(talk: Talk, body: unknown, options: SendOptions = {}): Promise<void> {
  const answer = await untilStatus(talk, 429, body, options);
  talk.note(`< ${answer.status} ${answer.code}, retry-after: ${Number(answer.header('retry-after')) > 0}`);
}

/** One call a second: what comes before an empty bucket, and what after it. */
export const RATE: Theme = {
  'an empty bucket comes before key, body, replay and conflict': async (talk) => {
    await talk.member('anna', ['once']);
    const basket = talk.basket('first', 'anna');
    const headers = { 'Idempotency-Key': basket.calculationId };
    await untilStatus(talk, 200, basket);
    await untilLimited(talk, basket);
    await untilLimited(talk, '{', { headers });
    await untilLimited(talk, basket, { headers: { 'Idempotency-Key': null } });
    await untilLimited(talk, basket, { headers: { 'Content-Type': 'text/plain' } });
    await untilLimited(talk, { ...basket, currency: 'EUR' });
  },
  'what costs no token': async (talk) => {
    await talk.member('anna', ['once']);
    const basket = talk.basket('first', 'anna');
    await untilStatus(talk, 200, basket);
    await untilLimited(talk, basket);
    await talk.send(basket, { t: 1 });
    await talk.send(basket, { headers: { 'POS-Signature': null } });
    await talk.send(Buffer.alloc(262_145));
    await talk.send(basket, { path: '/v1/pos/nothing' });
    await talk.send(basket, { method: 'PUT' });
  },
  'sale events leave half of the bucket to baskets': async (talk) => {
    await talk.member('anna', ['once']);
    const event = { calculationId: talk.id('unseen'), status: 'cancelled' };
    await untilLimited(talk, event, { path: SALE_PATH });
  },
};
