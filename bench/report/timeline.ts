import { PALETTE } from '../../packages/tools/src/pictures/palette.ts';
import type { Slice } from '../generator/protocol.ts';
import { colourScale, type Drawing, LEGEND, type Picture, PLOT } from './picture.ts';
import { showNumber } from './spread.ts';

/** A marked part of the time, in seconds from the start. */
export interface Mark {
  readonly label: string;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

const ACCEPTED = 'accepted';
const REFUSED = 'refused';
const COLOURS = { [ACCEPTED]: PALETTE.green, [REFUSED]: PALETTE.red };
const UPPER_HEIGHT = 190;
const LOWER_HEIGHT = 110;

/** Draws the answers over the time at which they were due: rates above, the slowest accepted answer below. */
export function timeline(
  name: string,
  title: string,
  slices: readonly Slice[],
  sliceMs: number,
  marks: readonly Mark[],
): Picture {
  const perSecond = (count: number): number => (count * 1000) / sliceMs;
  const secondsOf = (index: number): number => ((index + 0.5) * sliceMs) / 1000;
  const rates = slices.flatMap(({ accepted, refused }, index) => [
    { seconds: secondsOf(index), answer: ACCEPTED, rate: perSecond(accepted) },
    { seconds: secondsOf(index), answer: REFUSED, rate: perSecond(refused) },
  ]);
  const slowest = slices.map(({ worstAcceptedUs }, index) => ({
    seconds: secondsOf(index),
    ms: worstAcceptedUs / 1000,
  }));
  const most = (values: readonly number[]): string => showNumber(Math.max(0, ...values));
  const x = (axis: Drawing) => ({
    field: 'seconds',
    type: 'quantitative',
    scale: { domain: [0, (slices.length * sliceMs) / 1000], nice: false },
    axis,
  });
  return {
    name,
    title,
    description:
      `Over ${showNumber((slices.length * sliceMs) / 1000)} s: at most ${most(rates.filter(({ answer }) => answer === ACCEPTED).map(({ rate }) => rate))} ` +
      `accepted and ${most(rates.filter(({ answer }) => answer === REFUSED).map(({ rate }) => rate))} refused a second; ` +
      `the slowest accepted answer took ${most(slowest.map(({ ms }) => ms))} ms. ` +
      marks
        .map(
          ({ label, fromSeconds, toSeconds }) => `${label}: ${showNumber(fromSeconds)} to ${showNumber(toSeconds)} s.`,
        )
        .join(' '),
    drawing: {
      spacing: 4,
      vconcat: [
        {
          width: PLOT.width,
          height: UPPER_HEIGHT,
          layer: [
            markedGround(marks),
            markNames(marks),
            {
              data: { values: rates },
              mark: 'line',
              encoding: {
                x: x({ title: null, labels: false, ticks: false }),
                y: { field: 'rate', type: 'quantitative', axis: { title: 'answers per second', tickCount: 5 } },
                color: {
                  field: 'answer',
                  type: 'nominal',
                  scale: colourScale([ACCEPTED, REFUSED], COLOURS),
                  legend: { ...LEGEND, symbolType: 'stroke' },
                },
              },
            },
          ],
        },
        {
          width: PLOT.width,
          height: LOWER_HEIGHT,
          layer: [
            markedGround(marks),
            {
              data: { values: slowest },
              mark: { type: 'line', color: PALETTE.blue },
              encoding: {
                x: x({ title: 'seconds', tickCount: 10 }),
                y: { field: 'ms', type: 'quantitative', axis: { title: 'slowest accepted, ms', tickCount: 3 } },
              },
            },
          ],
        },
      ],
    },
  };
}

/** Tints the marked parts of the time. */
function markedGround(marks: readonly Mark[]): Drawing {
  return {
    data: { values: marks },
    mark: { type: 'rect', color: PALETTE.amber, opacity: 0.16 },
    encoding: { x: { field: 'fromSeconds', type: 'quantitative' }, x2: { field: 'toSeconds' } },
  };
}

/** Writes the marks' names above the frame, where there are no lines. */
function markNames(marks: readonly Mark[]): Drawing {
  return {
    data: { values: marks },
    mark: { type: 'text', align: 'left', baseline: 'bottom', dy: -5 },
    encoding: {
      x: { field: 'fromSeconds', type: 'quantitative' },
      y: { value: 0 },
      text: { field: 'label' },
    },
  };
}
