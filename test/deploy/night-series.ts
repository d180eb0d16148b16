/** Series in promtool's notation, and the two nights of an alert that are written with them. */

export type Series = Readonly<Record<string, string>>;

/** A metric of the one instance, with labels such as `route="x"`. */
export const of = (metric: string, labels = ''): string =>
  `${metric}{job="loyalty-gateway",instance="a:9090"${labels === '' ? '' : `,${labels}`}}`;

/** A counter that rises once, in the minute before the look. */
export const once = (metric: string, labels = '', by = 1): Series => ({ [of(metric, labels)]: `0x18 ${by}x600` });
export const value = (metric: string, at: number, labels = ''): Series => ({ [of(metric, labels)]: `${at}x600` });

export interface Pair {
  readonly fires: readonly [is: string, series: Series];
  readonly silent: readonly [is: string, series: Series];
  /** Alerts that the same night brings about too. */
  readonly with?: readonly string[];
  readonly isWeek?: true;
  /** Further nights, with all that fire in them. */
  readonly more?: readonly (readonly [is: string, series: Series, fires: readonly string[]])[];
}
