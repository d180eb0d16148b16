/**
 * The checks of readiness by name. Each returns the reason when it is red, and undefined when it is green. Facts beside them, trouble
 * with which the service is ready all the same, are of the same form.
 */
export type ReadinessChecks = Readonly<Record<string, () => string | undefined>>;

/** Returns the red checks with their reasons, or the facts that are so. */
export function findRed(checks: ReadinessChecks): Record<string, string> {
  const results = Object.entries(checks).map(([name, check]) => [name, check()] as const);
  return Object.fromEntries(results.filter((result): result is [string, string] => result[1] !== undefined));
}

/** The checks of the service that readiness names, whether they are red or not. */
export const CHECKS = ['processes', 'redis', 'redisSettings', 'data', 'workers', 'admission'] as const;

/** What readiness says at one instant; while the service is ready, `causes` and `red` are empty. */
export interface Readiness {
  /** The names of the checks for which it is not ready; another red one may join them. */
  readonly causes: readonly string[];
  /** The red checks with their reasons. */
  readonly red: Readonly<Record<string, string>>;
  /** Trouble with which the service is ready all the same. */
  readonly facts: Readonly<Record<string, string>>;
}

/** What all pods of an environment share: when it fails, it fails for all of them at once. */
const SHARED = ['redis', 'redisSettings', 'data'];
/** A failover of Redis takes seconds. */
const PATIENCE_MS = 30_000;

/**
 * Readiness for a load balancer (`/readyz?patient`). In a short outage of Redis every pod would go red together, and callers
 * would find no server instead of our 503, which says when to come again. So a pod that was ready stays ready while Redis
 * alone is red, for half a minute.
 */
export class PatientReadiness {
  #wasReady = false;
  #redSinceMs: number | undefined;

  /** True when calls should come here. `red` are the names of the red checks; it is asked every few seconds. */
  judge(red: readonly string[], nowMs: number = performance.now()): boolean {
    if (red.length === 0) {
      this.#wasReady = true;
      this.#redSinceMs = undefined;
      return true;
    }
    this.#redSinceMs ??= nowMs;
    const isShared = red.every((name) => SHARED.includes(name));
    return this.#wasReady && isShared && nowMs - this.#redSinceMs < PATIENCE_MS;
  }
}
