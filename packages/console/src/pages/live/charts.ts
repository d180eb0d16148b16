import uPlot from 'uplot';
import { formatAmount } from './format.ts';
import { HISTORY_SECONDS } from './history.ts';

/** Moving lines over the last five minutes. Colours come from the style sheet, which has both colour schemes. */

/** Colour: a custom property. */
type Line = { label: string; colour: string; isDashed?: boolean; isFilled?: boolean };
type Values = (number | null)[];

const HEIGHT_PX = 210;
/** Below this width the time axis is shortened instead of squeezed. */
const NARROW_PX = 480;

function colourOf(property: string) {
  return getComputedStyle(document.documentElement).getPropertyValue(property).trim();
}

const AXIS = {
  stroke: () => colourOf('--muted'),
  grid: { stroke: () => colourOf('--rule'), width: 1 },
  ticks: { show: false },
  font: '12px system-ui, sans-serif',
};

/** What every chart here has, and has not. */
const PLAIN = {
  height: HEIGHT_PX,
  legend: { show: false },
  cursor: { show: false },
  padding: [8, 16, 0, 0] as [number, number, number, number],
};

function lineOf({ label, colour, isDashed, isFilled }: Line) {
  return {
    label,
    stroke: () => colourOf(colour),
    width: isDashed ? 1 : 1.75,
    ...(isDashed && { dash: [6, 4] }),
    ...(isFilled && { fill: () => `${colourOf(colour)}22` }),
    points: { show: false },
  };
}

function widthOf(box: HTMLElement) {
  return Math.max(200, Math.floor(box.clientWidth));
}

export class Chart {
  #plot;
  #box;

  /** `atLeast` is the least upper end of the vertical axis. */
  constructor(
    box: HTMLElement,
    {
      lines,
      isLogarithmic = false,
      atLeast,
    }: { lines: readonly Line[]; isLogarithmic?: boolean; atLeast: () => number },
  ) {
    this.#box = box;
    this.#plot = new uPlot(
      {
        ...PLAIN,
        width: widthOf(box),
        scales: {
          x: { time: false, range: () => [widthOf(box) < NARROW_PX ? -HISTORY_SECONDS / 2 : -HISTORY_SECONDS, 0] },
          y: isLogarithmic
            ? { distr: 3, range: (_plot, min, max) => decades(min, Math.max(max ?? 0, atLeast())) }
            : { range: (_plot, _min, max) => [0, roomFor(Math.max(max ?? 0, atLeast()))] },
        },
        axes: [
          { ...AXIS, size: 28, space: 60, incrs: [60], values: (_plot, ticks) => ticks.map(describeAge) },
          {
            ...AXIS,
            grid: {
              ...AXIS.grid,
              filter: (_plot, ticks) => ticks.map((tick) => (isLabelled(tick, isLogarithmic) ? tick : null)),
            },
            size: 46,
            space: 30,
            values: (_plot, ticks) => ticks.map((tick) => (isLabelled(tick, isLogarithmic) ? String(tick) : '')),
          },
        ],
        series: [{}, ...lines.map(lineOf)],
      },
      [[], ...lines.map(() => [])],
      box,
    );
    new ResizeObserver(() => this.#fit()).observe(box);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#plot.redraw());
  }

  /** Shows a list of values per line, at `ages`: seconds before now, as negative numbers, oldest first. */
  show(ages: number[], values: Values[]) {
    this.#plot.setData([ages, ...values]);
  }

  #fit() {
    if (this.#box.clientWidth > 0 && this.#plot.width !== widthOf(this.#box)) {
      this.#plot.setSize({ width: widthOf(this.#box), height: HEIGHT_PX });
    }
  }
}

function describeAge(seconds: number): string {
  return seconds === 0 ? 'now' : `\u2212${-seconds / 60} min`;
}

/** True when the axis labels this tick; a logarithmic axis labels powers of ten alone. */
function isLabelled(tick: number, isLogarithmic: boolean) {
  return tick !== null && (!isLogarithmic || Number.isInteger(Math.log10(tick)));
}

function roomFor(value: number) {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.ceil((value * 1.05) / step) * step;
}

function decades(min: number | null, max: number): [number, number] {
  const low = Math.min(1, 10 ** Math.floor(Math.log10(Math.max(0.1, min ?? 1))));
  return [low, 10 ** Math.ceil(Math.log10(max * 1.01))];
}

/** Two sums by day, as lines over a range of days. */
export class DayChart {
  #box;
  #plot: uPlot | undefined;
  #currency = '';

  constructor(box: HTMLElement) {
    this.#box = box;
    new ResizeObserver(() => this.#plot?.setSize({ width: widthOf(box), height: HEIGHT_PX })).observe(box);
  }

  /** Shows sums in minor units by day, `2026-11-21`, rising. */
  show(days: readonly string[], turnover: number[], saved: number[], currency: string) {
    this.#currency = currency;
    const data: uPlot.AlignedData = [days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000), turnover, saved];
    if (this.#plot) this.#plot.setData(data);
    else this.#plot = this.#draw(data);
  }

  #draw(data: uPlot.AlignedData) {
    const money = (minor: number) => formatAmount(Math.round(minor), this.#currency);
    const line = (label: string, colour: string) => {
      return { ...lineOf({ label, colour, isFilled: true }), points: { show: data[0].length < 40 } };
    };
    return new uPlot(
      {
        ...PLAIN,
        width: widthOf(this.#box),
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
        scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.05)] } },
        axes: [
          { ...AXIS, size: 28 },
          { ...AXIS, size: 84, values: (_plot, ticks) => ticks.map(money) },
        ],
        series: [{}, line('Paid', '--calls'), line('Saved', '--bad')],
      },
      data,
      this.#box,
    );
  }
}
