/** The words of `when` at their bounds, and what a window still opens or did open. */
import { describe, expect, it } from 'vitest';
import { parseDate, parseMoment } from '../src/compile/calendar.ts';
import {
  compileOpening,
  compileWindow,
  firstOpening,
  isOpen,
  lastOpenDay,
  opensAfter,
  parseHours,
  type WhenDefinition,
  windowsOf,
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

describe('an entry of `when`', () => {
  it('restricts nothing that it does not name', () => {
    const open = { window: undefined, conditions: {} };
    expect(compileOpening({})).toEqual(open);
    expect(compileOpening({ channels: [], tiers: [], venueIds: [], weekdays: [] })).toEqual(open);
    expect(compileOpening({ channels: ['app'] })).toEqual({ ...open, conditions: { channels: new Set(['app']) } });
    expect(
      [windowsOf(undefined), windowsOf({ to: '2026-01-01' }), windowsOf([{}, {}])].map((own) => own.length),
    ).toEqual([0, 1, 2]);
  });

  it.each<[string, WhenDefinition, object]>([
    ['a date', { from: '1970-01-03' }, { fromDay: 2 }],
    ['the last date', { to: '1970-01-03' }, { toDay: 2 }],
    ['a moment', { from: '1970-01-02T01:01' }, { fromMoment: 1_501 }],
    ['the last moment', { to: '1970-01-02T01:01' }, { toMoment: 1_501 }],
    ['weekdays', { weekdays: ['tue', 'sun'] }, { weekdayBits: 0b100_0010 }],
    ['hours', { hours: '01:00-02:00' }, { hours: { fromMinute: 60, toMinute: 120 } }],
  ])('names %s and leaves the rest open', (_what, when, own) => {
    expect(compileWindow(when)).toEqual({
      ...{ fromDay: Number.NEGATIVE_INFINITY, toDay: Number.POSITIVE_INFINITY, weekdayBits: 0b111_1111 },
      ...{ fromMoment: Number.NEGATIVE_INFINITY, toMoment: Number.POSITIVE_INFINITY },
      ...own,
    });
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

it('a window past midnight belongs to the day it began on', () => {
  const window = compileWindow({ hours: '22:00-02:00', from: DAY, to: DAY })!;
  const opens = (time: string, date: string) => {
    const day = parseDate(date)!;
    return isOpen(window, { day, minuteOfDay: at(time, date) - day * 1_440, weekday: 0 });
  };
  expect(opens('01:59', DAY)).toBe(false);
  expect(opens('21:59', DAY)).toBe(false);
  expect(opens('22:00', DAY)).toBe(true);
  expect(opens('01:59', '2026-11-22')).toBe(true);
  expect(opens('02:00', '2026-11-22')).toBe(false);
});
