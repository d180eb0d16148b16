import { SALE_PATH } from '../../support/caller.ts';
import type { Theme } from '../talk.ts';

/** The same key again: with the same bytes, with others, at the same time, on the other endpoint. */
export const REPLAYS: Theme = {
  'the same bytes are replayed': async (talk) => {
    await talk.member('anna', ['twenty']);
    const basket = talk.basket('first', 'anna', [{ quantity: 2 }, { quantity: 0.345, unitPrice: 1999 }]);
    await talk.send(basket);
    await talk.send(basket);
    await talk.send(basket, { headers: { 'X-Request-Id': null } });
    await talk.send(basket, { headers: { 'X-Request-Id': 'no-uuid' } });
  },
  'other bytes are a conflict': async (talk) => {
    await talk.member('anna', ['once']);
    await talk.ring('first', 'anna');
    await talk.ring('first', 'anna', [{ quantity: 2 }]);
    await talk.send(`${JSON.stringify(talk.basket('first', 'anna'))} `, {
      headers: { 'Idempotency-Key': talk.id('first') },
    });
    await talk.ring('first', 'anna');
  },
  'another member under the same key is a conflict': async (talk) => {
    await talk.member('anna', ['once']);
    await talk.member('berit', ['once']);
    await talk.ring('first', 'anna');
    await talk.ring('first', 'berit');
    await talk.ring('first', 'nobody');
  },
  'an unchanged answer and one without a member are replayed too': async (talk) => {
    await talk.member('anna');
    for (const name of ['anna', 'stranger']) {
      await talk.ring(name, name);
      await talk.ring(name, name);
      await talk.ring(name, name, [{ quantity: 2 }]);
    }
  },
  'a refusal does not use the key up': async (talk) => {
    await talk.member('anna', ['once']);
    const wrong = talk.basket('first', 'anna');
    wrong.totals.total += 1;
    await talk.send(wrong);
    await talk.ring('first', 'anna');
    await talk.send(wrong);
  },
  'one key over many connections is one calculation': async (talk) => {
    await talk.member('anna', ['once']);
    await talk.crowd(talk.basket('first', 'anna'), 12);
    await talk.sell('first');
  },
  'one key over many connections for a member whom nobody knows': async (talk) => {
    await talk.crowd(talk.basket('first', 'stranger'), 8);
  },
  'a replay after the sale, and after a change of the member': async (talk) => {
    await talk.member('anna', ['once']);
    await talk.ring('first', 'anna');
    await talk.member('anna', ['twenty'], { status: 'blocked', memberLabel: 'Changed' });
    await talk.ring('first', 'anna');
    await talk.sell('first');
    await talk.ring('first', 'anna');
    await talk.ring('second', 'anna');
  },
  'a basket and its sale event under one key': async (talk) => {
    await talk.member('anna', ['once']);
    const basket = talk.basket('first', 'anna');
    await talk.send(basket);
    await talk.send(basket, { path: SALE_PATH });
    await talk.send({ calculationId: talk.id('first'), status: 'cancelled' });
    await talk.sell('first', 'cancelled');
  },
};
