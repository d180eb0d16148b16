/** The story of a calculation where the clock of a process is wrong: holds end by that of Redis. */
import { afterEach, expect, test, vi } from 'vitest';
import type { Current } from '../../packages/console/src/admin/administration.ts';
import { describeCalculation } from '../../packages/console/src/admin/calculations.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { findCalculation } from '../../src/store/find-calculation.ts';
import { calculate, useFixture } from '../store/fixture.ts';
import { configurationOf } from '../support/configuration.ts';

const fixture = useFixture();
const environment = loadEnvironment(JSON.stringify(configurationOf()), 'x.yaml');

afterEach(() => vi.useRealTimers());

test('a process that is a century ahead tells of no end that has not come', async () => {
  const { commit } = await calculate(fixture);
  const { store } = fixture;
  const record = (await findCalculation(store, commit.calculationId))!;
  const tell = async () => (await describeCalculation({ environment, store } as Current, record)).story;
  const story = await tell();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2126, 0, 1) });
  expect(await tell()).toEqual(story);
  expect(story.join(' ')).not.toContain('ended unsold');
});
