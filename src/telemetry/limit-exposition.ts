import type { Metrics } from './metric-kinds.ts';

/** What is left of a limit over all members. */
export interface LimitFigures {
  readonly labels: Readonly<Record<'programme' | 'limit' | 'of' | 'venue' | 'period' | 'counts' | 'currency', string>>;
  readonly quantity: number;
  readonly consumed: number;
  readonly held: number;
  readonly left: number;
}

export function registerLimits({ labelledGauge }: Metrics, limits: () => readonly LimitFigures[]): void {
  const each = (figure: Exclude<keyof LimitFigures, 'labels'>, help: string) =>
    labelledGauge(
      `loyalty_limit_${figure}`,
      `Limits over all members, in the period that is running: ${help}`,
      () => limits().map((limit) => [limit.labels, limit[figure]] as const),
      'omit',
    );
  each('quantity', 'the quantity of the configuration; minor units of a limit that counts money');
  each('consumed', 'units that sales have consumed');
  each('held', 'units that open calculations hold');
  each('left', 'units that are left');
}
