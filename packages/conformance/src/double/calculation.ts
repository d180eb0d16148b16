import type { Run, SeenRequest } from './run.ts';

/** All that a caller sent about one calculation, in the order of arrival. */
export interface Calculation {
  readonly key: string;
  /** Basket calls and events that keep the contract; those that do not are judged by themselves. */
  readonly baskets: readonly SeenRequest[];
  readonly events: readonly SeenRequest[];
  /** The row that its basket met, and that its events met. */
  readonly basketCode: string | undefined;
  readonly saleCode: string | undefined;
  /** When a later basket took its place. */
  readonly supersededAtMs: number | undefined;
}

/** The calculations of a run. */
export function calculationsOf({ seen }: Run): Calculation[] {
  const kept = seen.filter(({ refused }) => refused === undefined);
  const supersededAtMs = new Map<string, number>();
  for (const { supersedes, atMs } of kept) {
    if (supersedes !== undefined && !supersededAtMs.has(supersedes)) supersededAtMs.set(supersedes, atMs);
  }
  return [...Map.groupBy(kept, ({ idempotencyKey = '' }) => idempotencyKey)].map(([key, requests]) => {
    const baskets = requests.filter(({ event }) => event === undefined);
    const events = requests.filter(({ event }) => event !== undefined);
    return {
      ...{ key, baskets, events, supersededAtMs: supersededAtMs.get(key) },
      ...{ basketCode: codeOf(baskets), saleCode: codeOf(events) },
    };
  });
}

function codeOf(requests: readonly SeenRequest[]): string | undefined {
  return requests.find(({ code }) => code !== undefined)?.code;
}
