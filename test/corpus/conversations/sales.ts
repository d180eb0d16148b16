import { SALE_PATH } from '../../support/caller.ts';
import type { Theme } from '../talk.ts';
import { ONE, steps } from './steps.ts';

const STATUSES = ['applied', 'unchanged', 'member_not_found', 'failed', 'not_applicable', 'cancelled'];
const REASONS = ['invalid_response', 'http_error', 'timeout', 'connection_error', 'pos_error', 'offline'];

/** The sale event: what it settles or releases, what is recorded once, and what comes too early, too late or wrong. */
export const SALES: Theme = {
  ...Object.fromEntries(
    STATUSES.map((status) => [
      `a sale that is ${status}, reported twice, and then the next basket`,
      steps(ONE, 'first', `sell first ${status}`, `sell first ${status}`, 'second'),
    ]),
  ),
  'every reason of a failure': async (talk) => {
    await talk.member('anna', ['once']);
    for (const failureReason of REASONS) {
      await talk.ring(failureReason, 'anna');
      await talk.sell(failureReason, 'failed', { failureReason });
    }
    await talk.ring('next', 'anna');
  },
  'another outcome is a conflict, and the first one stays': async (talk) => {
    await talk.member('anna', ['once']);
    await talk.ring('first', 'anna');
    await talk.sell('first');
    await talk.sell('first', 'cancelled');
    await talk.sell('first', 'applied', { transactionId: 'another' });
    await talk.sell('first', 'failed');
    await talk.sell('first');
    await talk.ring('second', 'anna');
  },
  'a cancelled one is not sold afterwards': steps(
    ONE,
    'first',
    'sell first cancelled',
    'sell first',
    'second',
    'sell second',
  ),
  'a calculation that nobody has seen': steps({}, 'sell unseen', 'sell unseen', 'sell unseen cancelled'),
  'a basket after its sale': steps(ONE, 'sell first', 'first', 'sell first', 'second'),
  'a basket after its cancellation': steps(ONE, 'sell first cancelled', 'first', 'second', 'sell second'),
  'one event over many connections': async (talk) => {
    await talk.member('anna', ['once']);
    await talk.ring('first', 'anna');
    const event = { calculationId: talk.id('first'), status: 'applied', transactionId: 'kvittering-№-1' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => talk.exchange(event, { path: SALE_PATH })));
    talk.note(...answers.map(({ status, text }) => `< ${status} ${text}`).sort());
  },
  'sums of several benefits, and a sale of nothing': async (talk) => {
    await talk.member('anna', ['twenty', 'order-50', 'gift-rung-up', 'twice']);
    await talk.ring('first', 'anna', [{ quantity: 3 }, { existing: 100 }]);
    await talk.sell('first');
    await talk.ring('free', 'anna', [{ unitPrice: 0 }]);
    await talk.sell('free');
  },
  'events that are wrong': async (talk) => {
    const right = { calculationId: talk.id('first'), status: 'applied', transactionId: 'r-1' };
    const { calculationId } = right;
    const headers = { 'Idempotency-Key': calculationId };
    const wrong: unknown[] = [
      { calculationId, status: 'applied' },
      { ...right, status: 'sold' },
      { ...right, failureReason: 'timeout' },
      { ...right, status: 'failed' },
      { ...right, status: 'failed', failureReason: 'bored' },
      { ...right, transactionId: '' },
      { ...right, transactionId: 'x'.repeat(65) },
      { ...right, transactionId: 7 },
      { ...right, transactionId: null },
      { ...right, calculationId: 'abc' },
      { ...right, calculationId: '00000000-0000-4000-8000-000000000000' },
      { status: 'cancelled' },
      ...['', '[]', '{', `\ufeff${JSON.stringify(right)}`],
    ];
    for (const body of wrong) {
      talk.note(`- ${typeof body === 'string' ? body : JSON.stringify(body)}`.slice(0, 150));
      await talk.send(body, { path: SALE_PATH, headers });
    }
    await talk.send(right, { path: SALE_PATH, headers: { 'Idempotency-Key': null } });
    await talk.send(right, { path: SALE_PATH, t: 1 });
    await talk.send({ ...right, extra: [1], transactionId: 'r-1 \ud83c' }, { path: SALE_PATH });
    await talk.send(Buffer.alloc(262_145, ' '), { path: SALE_PATH, headers });
  },
};
