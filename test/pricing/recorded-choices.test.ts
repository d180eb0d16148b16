/**
 * The engine chooses what it chose when `record-choices.ts` last ran: a change that was not meant to move a choice, a proof or the
 * work does not. A row that differs is looked at before it is recorded anew.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RECORDED, recordChoices } from './support/recorded.ts';

it('chooses as recorded, with the same proofs in the same steps', { timeout: 60_000 }, () => {
  expect(recordChoices()).toEqual(readFileSync(RECORDED, 'utf8').trimEnd().split('\n'));
});
