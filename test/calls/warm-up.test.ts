/** What runs before the first call: it prices, and neither Redis nor the folder for repairs hears of it. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { warmUp } from '../../src/calls/warm-up.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';

let folder = '';
beforeAll(() => {
  folder = temporaryDirectory();
});
afterAll(cleanUp);

test.each([
  ['the ordinary configuration', configurationOf(), 13],
  ['no venue', { ...configurationOf(), venues: [], members: [] }, 0],
  ['a programme without benefits', configurationOf({ programme: { benefits: [] }, members: [] }), 13],
])('%s: every basket is priced and replayed, and none fails its check', (_, configuration, priced) => {
  const environment = loadEnvironment(JSON.stringify(configuration), 'environment.yaml');
  expect(warmUp(environment, folder)).toBe(priced);
  expect(readdirSync(folder)).toEqual([]);
});
