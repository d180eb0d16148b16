import uPlot from 'uplot';
import { AXIS, HEIGHT_PX, lineOf, PLAIN, widthOf } from './charts.ts';
import { formatAmount } from './format.ts';

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
