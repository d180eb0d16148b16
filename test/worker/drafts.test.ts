/** Drafts are worked on one after the other, and one whose facts cannot be read holds up none behind it. */
import { expect, test } from 'vitest';
import { sourceOf } from '../../src/programme/source.ts';
import { openDraftThread } from '../../src/threads/drafts.ts';
import { BASKET, configuration } from '../calls/support/shop.ts';
import { sleep } from '../support/wait.ts';

const source = sourceOf(JSON.stringify(configuration), 'draft');
const today = '2026-11-21';
const asked = { basket: BASKET, mismatch: undefined, atGiven: true };
const task = { source, today, repairDir: '', ...asked };

test('a draft whose member cannot be read makes way for the next one', async () => {
  const drafts = openDraftThread();
  const away = () => Promise.reject(new Error('Redis is away'));
  const facts = { readMember: away, readCommon: away };
  const unread = drafts.price(task, facts);
  const next = drafts.review({ source, inForce: source, today });
  await expect(unread).rejects.toThrow('Redis is away');
  expect(await next).toMatchObject({ kind: 'reviewed', faults: [] });
});

test('a draft that takes too long is given up, and the one behind it is worked on', async () => {
  const drafts = openDraftThread(10_000);
  const never = () => new Promise<never>(() => undefined);
  const late = drafts.price(task, { readMember: never, readCommon: never });
  await sleep(5_000);
  const next = drafts.review({ source, inForce: source, today });
  expect(await late).toEqual({ kind: 'given_up', reason: 'the draft took longer than 10 s' });
  expect(await next).toMatchObject({ kind: 'reviewed', faults: [] });
});
