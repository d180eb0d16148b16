import type { Metrics } from './metric-kinds.ts';

/** How far the readers of the event streams are. */
export interface EventFigures {
  readonly retentionSeconds: number;
  /** Of each consumer group, the age of the oldest event that it has not read; 0 where it has read all. */
  readonly unread: readonly { readonly group: string; readonly ageSeconds: number }[];
}

export function registerEvents({ gauge, labelledGauge }: Metrics, events: () => EventFigures): void {
  labelledGauge(
    'loyalty_events_unread_age_seconds',
    'Age of the oldest event that a consumer group has not read, of all event streams',
    () => events().unread.map(({ group, ageSeconds }) => [{ group }, ageSeconds] as const),
    'omit',
  );
  gauge('loyalty_events_retention_seconds', 'Age at which events are removed', () => events().retentionSeconds);
}
