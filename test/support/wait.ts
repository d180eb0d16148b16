/** Waiting in tests: for a time, or for a condition. */

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A wait ends with its condition. This limit only finds a hang; a busy machine must not reach it. */
const HANG_MS = 30_000;
const [LEAST_PAUSE_MS, MOST_PAUSE_MS] = [10, 100];

/** Polls until `probe` answers something other than undefined or false; throws with `what` after the time is up. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = HANG_MS,
): Promise<T> {
  const startMs = Date.now();
  const deadline = startMs + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`);
    await sleep(pauseAfter(Date.now() - startMs));
  }
}

/**
 * A tenth of what has been waited: a probe is often a call, and asking fifty times a second for seconds cost the suite more
 * than what it waited for.
 */
function pauseAfter(waitedMs: number): number {
  return Math.min(MOST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, waitedMs / 10));
}

/** Resolves to undefined when the promise has not settled in time. */
export async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
