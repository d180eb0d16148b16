import { AXIS, colourOf, HEIGHT_PX, PLAIN, widthOf } from './charts.js';
import { formatAmount } from './format.js';
import uPlot from './uplot.js';

/** Two sums by day, as lines over a range of days. */

export class DayChart {
  #box;
  /** @type {uPlot | undefined} */
  #plot;
  #currency = '';

  /** @param {HTMLElement} box */
  constructor(box) {
    this.#box = box;
    new ResizeObserver(() => this.#plot?.setSize({ width: widthOf(box), height: HEIGHT_PX })).observe(box);
  }

  /**
   * @param {readonly string[]} days `2026-11-21`, rising
   * @param {readonly number[]} turnover minor units
   * @param {readonly number[]} saved minor units
   * @param {string} currency
   */
  show(days, turnover, saved, currency) {
    this.#currency = currency;
    const data = /** @type {any} */ ([days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000), turnover, saved]);
    if (this.#plot) this.#plot.setData(data);
    else this.#plot = this.#draw(data);
  }

  /** @param {any} data */
  #draw(data) {
    const money = (/** @type {number} */ minor) => formatAmount(Math.round(minor), this.#currency);
    const line = (/** @type {string} */ label, /** @type {string} */ name) => ({
      label,
      stroke: () => colourOf(name),
      width: 1.75,
      fill: () => `${colourOf(name)}22`,
      points: { show: data[0].length < 40 },
    });
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
