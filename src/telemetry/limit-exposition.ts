import type { Metrics } from './metric-kinds.ts';

/** What is left of a limit over all members. */
export interface LimitFigures {
  readonly labels: Readonly<Record<'programme' | 'limit' | 'of' | 'venue' | 'period' | 'counts' | 'currency', string>>;
  readonly quantity: number;
  readonly consumed: number;
  readonly held: number;
  readonly left: number;
}

/** Every process reads the same counters; of their readings the one that shows most is the newest, or as good. */
export function registerLimits({ labelledGauge }: Metrics, limits: () => readonly LimitFigures[]): void {
  const each = (figure: Exclude<keyof LimitFigures, 'labels'>, help: string, worst: 'min' | 'max') =>
    labelledGauge(
      `loyalty_limit_${figure}`,
      `Limits over all members, in the period that is running: ${help}`,
      () => limits().map((limit) => [limit.labels, limit[figure]] as const),
      worst,
    );
  each('quantity', 'the quantity of the configuration; minor units of a limit that counts money', 'max');
  each('consumed', 'units that sales have consumed', 'max');
  each('held', 'units that open calculations hold', 'max');
  each('left', 'units that are left', 'min');
}
