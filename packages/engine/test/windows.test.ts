/** The words of `when` at their bounds, and what a window still opens or did open. */
import { describe, expect, it } from 'vitest';
import { localTime, parseDate, parseMoment } from '../src/compile/calendar.ts';
import {
  compileWindow,
  firstOpening,
  isOpen,
  lastOpenDay,
  opensAfter,
  parseHours,
  type WhenDefinition,
} from '../src/compile/window.ts';

describe('hours', () => {
  it.each([
    ['00:00-24:00', 0, 1_440],
    ['14:05-16:59', 845, 1_019],
    ['23:59-00:00', 1_439, 0],
    ['19:00-09:30', 1_140, 570],
  ])('%s', (text, fromMinute, toMinute) => {
    expect(parseHours(text)).toEqual({ fromMinute, toMinute });
  });

  it.each([
    ...['24:00-10:00', '10:60-11:00', '10:00-24:01', '10:00-25:00', '10:00-10:00', '10:00'],
    ...[' 10:00-11:00', '10:00-11:00 ', '10:00-11:60', '1:00-11:00'],
  ])('%s are none', (text) => {
    expect(parseHours(text)).toBeUndefined();
  });
});

describe('a window', () => {
  const opens = (when: WhenDefinition, instant: string): boolean =>
    isOpen(compileWindow(when)!, localTime(instant, 'Europe/Oslo'));

  it('begins and ends at a time of the venue', () => {
    const when: WhenDefinition = { from: '2026-11-27T06:00', to: '2026-11-28T01:30' };
    expect(opens(when, '2026-11-27T05:59:59+01:00')).toBe(false);
    expect(opens(when, '2026-11-27T05:00:00Z')).toBe(true);
    expect(opens(when, '2026-11-28T00:29:59Z')).toBe(true);
    expect(opens(when, '2026-11-28T01:30:00+01:00')).toBe(false);
    const nights: WhenDefinition = { weekdays: ['fri'], hours: '22:00-02:00', to: '2026-11-28T01:30' };
    expect(opens(nights, '2026-11-28T01:29:00+01:00')).toBe(true);
    expect(opens(nights, '2026-11-28T01:31:00+01:00')).toBe(false);
    const mixed: WhenDefinition = { from: '2026-11-27T06:00', to: '2026-11-27' };
    expect(opens(mixed, '2026-11-27T23:59:00+01:00')).toBe(true);
    expect(opens(mixed, '2026-11-28T00:00:00+01:00')).toBe(false);
  });
});

/** A Saturday. */
const DAY = '2026-11-21';
const at = (time: string, date = DAY): number => parseMoment(`${date}T${time}`)!;

it.each<[string, WhenDefinition, string, boolean]>([
  ['its day', { to: DAY }, '23:59', true],
  ['the minute before its moment', { to: `${DAY}T12:00` }, '11:59', true],
  ['its moment', { to: `${DAY}T12:00` }, '12:00', false],
  ['the last minute of its hours', { to: DAY, hours: '08:00-10:00' }, '09:59', true],
  ['the end of its hours', { to: DAY, hours: '08:00-10:00' }, '10:00', false],
  ['an evening that ends tomorrow', { to: DAY, hours: '22:00-02:00' }, '23:59', true],
  ['the night that began yesterday', { to: '2026-11-20', hours: '22:00-02:00' }, '01:59', true],
  ['the end of that night', { to: '2026-11-20', hours: '22:00-02:00' }, '02:00', false],
  ['the night whose moment has come', { to: `${DAY}T01:00`, hours: '22:00-02:00' }, '01:00', false],
  ['a week without its weekday', { to: '2026-11-26', weekdays: ['fri'] }, '12:00', false],
  ['a week with it', { to: '2026-11-27', weekdays: ['fri'] }, '12:00', true],
  ['a weekday that comes only in a week', { weekdays: ['sat'], hours: '08:00-09:00' }, '12:00', true],
  ['a year that begins later', { from: '2027-01-01', to: '2027-01-01' }, '12:00', true],
  ['later hours than its last moment', { to: `${DAY}T13:30`, hours: '14:00-16:00' }, '12:00', false],
  ['hours that its moment cuts', { to: `${DAY}T14:01`, hours: '14:00-16:00' }, '12:00', true],
  [
    'a first moment after the hours of its last day',
    { from: `${DAY}T17:00`, to: DAY, hours: '14:00-16:00' },
    '12:00',
    false,
  ],
])('a window opens or does not from %s on', (_from, when, time, opens) => {
  expect(opensAfter(compileWindow(when)!, at(time))).toBe(opens);
});

it.each<[string, WhenDefinition, string | undefined]>([
  ['its last date', { to: DAY }, DAY],
  ['the date of its last moment', { to: `${DAY}T12:00` }, DAY],
  ['the day before a moment at midnight', { to: `${DAY}T00:00` }, '2026-11-20'],
  ['its last weekday', { to: DAY, weekdays: ['mon'] }, '2026-11-16'],
  ['its weekday a week before', { to: `${DAY}T12:00`, weekdays: ['sat'], hours: '14:00-16:00' }, '2026-11-14'],
  [
    'the day before, where its moment comes before its hours',
    { to: `${DAY}T14:00`, hours: '14:00-16:00' },
    '2026-11-20',
  ],
  [
    'its weekday a week before, where its last moment is the first minute of its hours',
    { to: `${DAY}T23:59`, weekdays: ['sat'], hours: '23:59-02:00' },
    '2026-11-14',
  ],
  ['no day without one of its weekdays', { from: '2026-11-17', to: DAY, weekdays: ['mon'] }, undefined],
])('a window was last open on %s', (_what, when, date) => {
  expect(lastOpenDay(compileWindow(when)!)).toBe(date && parseDate(date));
});

it.each<[string, WhenDefinition, string | undefined]>([
  ['at the beginning of its first date', { from: DAY }, `${DAY}T00:00`],
  ['at its moment', { from: `${DAY}T12:01` }, `${DAY}T12:01`],
  ['on its first weekday', { from: DAY, weekdays: ['fri'], hours: '14:00-16:00' }, '2026-11-27T14:00'],
  ['in the evening of its first date', { from: DAY, hours: '22:00-02:00' }, `${DAY}T22:00`],
  ['at its moment in a night', { from: `${DAY}T01:00`, hours: '22:00-02:00' }, `${DAY}T01:00`],
  ['on the day after a moment past its hours', { from: `${DAY}T16:00`, hours: '14:00-16:00' }, '2026-11-22T14:00'],
  ['never, where it ends before', { from: DAY, to: '2026-11-26', weekdays: ['fri'] }, undefined],
  ['since ever, where it has no beginning', { to: DAY }, undefined],
])('a window opens first %s', (_what, when, moment) => {
  expect(firstOpening(compileWindow(when)!)).toBe(moment && parseMoment(moment));
});
