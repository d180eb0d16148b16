/** The sentences of the live page about the service's state and about limits. */
import { expect, test } from 'vitest';
import type { CommonLimitState } from '../../packages/console/src/common-limit-states.ts';
import type { LiveFigures } from '../../packages/console/src/live/figures.ts';
import { describePace, describeState, isDown } from '../../packages/console/src/pages/live/wording.ts';

const figures = (more: Partial<LiveFigures>) =>
  ({ red: {}, facts: {}, isConfigurationRefused: false, ...more }) as LiveFigures;

test('trouble with which the service is ready is said and marked, and the tab is not called down', () => {
  const troubled = figures({ facts: { masters: 'master_away: 10.0.0.3:6379 does not answer' } });
  expect(describeState(troubled, false)).toEqual({
    text: 'Ready. master_away: 10.0.0.3:6379 does not answer',
    isBad: true,
  });
  expect(isDown(troubled, false)).toBe(false);
});

test('a weak setting is a choice, which the page does not repeat', () => {
  const weak = figures({ facts: { weakSettings: 'appendfsync is everysec' } });
  expect(describeState(weak, false)).toEqual({ text: 'Ready', isBad: false });
});

test('facts stand beside the checks that are red', () => {
  const red = figures({ red: { workers: 'threads are not ready' }, facts: { data: 'data_gone: the data is gone' } });
  expect(describeState(red, false).text).toBe('Not ready. workers: threads are not ready. data_gone: the data is gone');
});

test('a rejected configuration shows its errors, a line each', () => {
  const errors =
    'staging.yaml:3, rateLimit: found 1, allowed: 2\nstaging.yaml:9, venues: found nothing, allowed: a list';
  const rejected = figures({ isConfigurationRefused: true, facts: { configuration: errors } });
  const sentence = 'Ready. The configuration on disk was rejected, and the previous one remains in effect';
  expect(describeState(rejected, false)).toEqual({ text: `${sentence}:\n${errors}`, isBad: true });
  expect(describeState(figures({ isConfigurationRefused: true }), false).text).toBe(sentence);
});

test('a limit of a campaign with an end is said to last no longer than that', () => {
  const paceOf = (more: Partial<CommonLimitState>) =>
    describePace({ left: 5, period: '*', since: '2026-11-21T11:00:00.000Z', ...more } as CommonLimitState);
  expect(paceOf({ left: 0, runsOutOn: '2026-11-21', endsOn: '2026-11-30' })).toBe('used up');
  expect(paceOf({ runsOutOn: '2026-11-24', endsOn: '2026-11-30' })).toBe('runs out on 2026-11-24');
  expect(paceOf({ endsOn: '2026-11-30' })).toBe('not used up at the end of its campaign, 2026-11-30');
  expect(paceOf({})).toBe('lasts for years');
  expect(paceOf({ period: '2026-11' })).toBe('lasts for the period');
  expect(describePace({ left: 5, period: '*' } as CommonLimitState)).toBe('nothing used yet');
});
