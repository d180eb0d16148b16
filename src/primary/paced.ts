/**
 * Returns a function that does the work at most once in `pauseMs`, and one at a time. Whoever calls it waits for work that begins after
 * the call, together with all others who wait. `work` must not reject.
 */
export function paced(pauseMs: number, work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let begunMs = Number.NEGATIVE_INFINITY;
  const begin = async (): Promise<void> => {
    await running;
    await new Promise((resolve) => setTimeout(resolve, begunMs + pauseMs - performance.now()));
    next = undefined;
    begunMs = performance.now();
    running = work();
    await running;
  };
  return () => {
    next ??= begin();
    return next;
  };
}
