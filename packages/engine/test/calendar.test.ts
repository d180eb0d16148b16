import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawn } from '../../../test/support/effort.ts';
import { dateIn, formatDate, localTime, parseDate, periodName } from '../src/compile/calendar.ts';

function local(instant: string, zone = 'Europe/Oslo'): string {
  const { day, minuteOfDay } = localTime(instant, zone);
  const hours = String(Math.floor(minuteOfDay / 60)).padStart(2, '0');
  return `${formatDate(day)} ${hours}:${String(minuteOfDay % 60).padStart(2, '0')}`;
}

describe('localTime', () => {
  it('is exact through both clock changes', () => {
    expect(local('2026-03-29T00:59:59Z')).toBe('2026-03-29 01:59');
    expect(local('2026-03-29T01:00:00Z')).toBe('2026-03-29 03:00');
    expect(local('2026-10-25T00:59:59Z')).toBe('2026-10-25 02:59');
    expect(local('2026-10-25T01:00:00Z')).toBe('2026-10-25 02:00');
  });

  it('takes the venue zone, whatever offset the caller wrote', () => {
    expect(local('2026-11-21T23:30:00-08:00')).toBe('2026-11-22 08:30');
    expect(local('2026-11-21T23:30:00Z', 'Asia/Kathmandu')).toBe('2026-11-22 05:15');
    expect(local('2026-06-30T23:59:60Z', 'UTC')).toBe('2026-06-30 23:59');
    expect(local('2026-11-21t10:00:00.123z', 'UTC')).toBe('2026-11-21 10:00');
    expect(local('2026-11-21T10:00:00+05:45', 'UTC')).toBe('2026-11-21 04:15');
    expect(local('2026-11-21T10:00:00-05:45', 'UTC')).toBe('2026-11-21 15:45');
    expect(local('2026-11-21T10:00:00Z', 'America/St_Johns')).toBe('2026-11-21 06:30');
    expect(() => local('2026-11-21T10:00:00')).toThrow('RFC 3339');
    expect(() => local('x2026-11-21T10:00:00Z')).toThrow('RFC 3339');
    expect(() => local('2026-11-21T10:00:00Zx')).toThrow('RFC 3339');
  });

  it('knows offsets with seconds, and times before 1970', () => {
    expect(local('1970-01-01T00:44:29Z', 'Africa/Monrovia')).toBe('1969-12-31 23:59');
    expect(local('1970-01-01T00:44:30Z', 'Africa/Monrovia')).toBe('1970-01-01 00:00');
    expect(local('1969-12-31T22:59:00Z')).toBe('1969-12-31 23:59');
    expect(local('1969-12-31T23:00:00Z')).toBe('1970-01-01 00:00');
    expect(local('1940-08-10T22:59:00Z')).toBe('1940-08-11 00:59');
    // A clock change within a quarter of an hour.
    expect(local('1893-03-31T23:06:31Z', 'Europe/Berlin')).toBe('1893-03-31 23:59');
    expect(local('1893-03-31T23:06:32Z', 'Europe/Berlin')).toBe('1893-04-01 00:06');
    expect(localTime('2026-11-21T12:00:00Z', 'UTC')).toEqual({ day: 20_778, minuteOfDay: 720, weekday: 5 });
  });

  it('agrees with Intl at random instants', () => {
    const zones = ['Europe/Oslo', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 4_102_444_800 }), (zone, seconds) => {
        const parts = new Intl.DateTimeFormat('en-CA', {
          timeZone: zone,
          dateStyle: 'short',
          timeStyle: 'short',
          hourCycle: 'h23',
        }).format(seconds * 1_000);
        expect(local(new Date(seconds * 1_000).toISOString(), zone)).toBe(parts.replace(',', ''));
      }),
      drawn(1_000),
    );
  });
});

describe('periodName', () => {
  const day = parseDate('2026-11-21') as number;

  it('names every period', () => {
    const names = (['lifetime', 'year', 'month', 'week', 'day'] as const).map((period) => periodName(period, day));
    expect(names).toEqual(['*', '2026', '2026-11', '2026-W47', '2026-11-21']);
  });

  it.each([
    ['2027-01-01', '2026-W53'],
    ['2024-12-30', '2025-W01'],
    ['2026-01-01', '2026-W01'],
    ['2021-01-03', '2020-W53'],
    ['2026-03-01', '2026-W09'],
    ['2026-03-02', '2026-W10'],
  ])('puts %s into ISO week %s', (date, week) => {
    expect(periodName('week', parseDate(date) as number)).toBe(week);
  });

  it('refuses dates that do not exist', () => {
    expect(parseDate('2026-02-29')).toBeUndefined();
    expect(parseDate('2028-02-29')).toBeDefined();
    expect(parseDate('2026-13-01')).toBeUndefined();
    expect(parseDate('1970-01-01')).toBe(0);
    for (const text of ['', '2026', '2026-11', '2026-11-21T00:00', ' 2026-11-21', '2026-11-21 ', '+002026-11-21']) {
      expect(parseDate(text)).toBeUndefined();
    }
  });
});

it('the date in a zone is the one of its clock', () => {
  const instant = Date.parse('2026-11-21T23:30:00.999Z');
  expect(['UTC', 'Europe/Oslo', 'America/New_York'].map((zone) => dateIn(zone, instant))).toEqual([
    ...['2026-11-21', '2026-11-22', '2026-11-21'],
  ]);
  expect(dateIn('Europe/Oslo', Date.parse('2026-11-21T22:59:59.999Z'))).toBe('2026-11-21');
});
