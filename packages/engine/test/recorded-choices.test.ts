/**
 * The engine chooses what it chose when `record-choices.ts` last ran: a change that was not meant to move a choice, a proof or the
 * work does not. A row that differs is looked at before it is recorded anew.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RECORDED, SOURCES } from './support/recorded.ts';

const recorded = readFileSync(RECORDED, 'utf8').trimEnd().split('\n');

it.each(Object.entries(SOURCES))('chooses as recorded, with the same proofs in the same steps: %s', (name, record) => {
  expect(record()).toEqual(recorded.filter((row) => row.startsWith(`${name} `)));
});
