import type { Slice } from '../generator/protocol.ts';
import {
  colourOf,
  FRAME,
  HEIGHT,
  legend,
  line,
  niceCeiling,
  type Picture,
  path,
  picture,
  rect,
  text,
  WIDTH,
} from './picture.ts';
import { showNumber } from './spread.ts';

/** A part of the time that is marked, in seconds from the start. */
export interface Mark {
  readonly label: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** What was answered, by when it was due: rates above, the slowest accepted answer below. */
export function timeline(
  name: string,
  title: string,
  slices: readonly Slice[],
  sliceMs: number,
  marks: readonly Mark[],
): Picture {
  const seconds = (slices.length * sliceMs) / 1000;
  const x = (second: number): number => FRAME.left + (second / seconds) * (WIDTH - FRAME.left - FRAME.right);
  const middle = 250;
  const perSecond = (count: number): number => (count * 1000) / sliceMs;
  const mostRate = niceCeiling(Math.max(1, ...slices.map((slice) => perSecond(slice.accepted + slice.refused))));
  const mostMs = niceCeiling(Math.max(1, ...slices.map(({ worstAcceptedUs }) => worstAcceptedUs / 1000)));
  const rateY = (rate: number): number => middle - (rate / mostRate) * (middle - FRAME.top);
  const base = HEIGHT - FRAME.bottom;
  const msY = (ms: number): number => base - (ms / mostMs) * (base - middle - 25);
  const at = (index: number): number => x(((index + 0.5) * sliceMs) / 1000);
  const curve = (value: (slice: Slice) => number) => slices.map((slice, index) => [at(index), value(slice)] as const);
  const labels = ['accepted/s', 'refused/s', 'slowest accepted'];
  const every = niceCeiling(seconds / 10);
  const ticks = Array.from({ length: Math.floor(seconds / every) + 1 }, (_, index) => index * every);
  return picture(name, title, [
    ...marks.flatMap(({ label, fromSeconds, toSeconds }) => [
      rect(x(fromSeconds), FRAME.top, x(toSeconds) - x(fromSeconds), base - FRAME.top, '#e0a030', 0.18),
      text(x(fromSeconds) + 4, FRAME.top + 12, label),
    ]),
    ...[0, 0.5, 1].flatMap((part) => [
      line(FRAME.left, rateY(part * mostRate), WIDTH - FRAME.right, rateY(part * mostRate)),
      text(FRAME.left - 8, rateY(part * mostRate) + 4, `${showNumber(part * mostRate)}/s`, { anchor: 'end' }),
      line(FRAME.left, msY(part * mostMs), WIDTH - FRAME.right, msY(part * mostMs)),
      text(FRAME.left - 8, msY(part * mostMs) + 4, `${showNumber(part * mostMs)} ms`, { anchor: 'end' }),
    ]),
    ...ticks.map((second) => text(x(second), base + 18, `${showNumber(second)} s`, { anchor: 'middle' })),
    path(
      curve((slice) => rateY(perSecond(slice.accepted))),
      colourOf(labels[0] as string, 0),
    ),
    path(
      curve((slice) => rateY(perSecond(slice.refused))),
      colourOf(labels[1] as string, 1),
    ),
    path(
      curve((slice) => msY(slice.worstAcceptedUs / 1000)),
      colourOf(labels[2] as string, 2),
    ),
    ...legend(labels),
  ]);
}
