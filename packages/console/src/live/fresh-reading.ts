/** Pages ask every ten seconds, several may be open, and nobody needs a newer answer. */
const FRESH_MS = 2000;

/**
 * Returns a function that reads for the live page at most once in two seconds, however many pages ask. It rejects as the
 * reading does; the next one is tried at once.
 */
export function freshly<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { readonly reading: Promise<T>; readonly atMs: number } | undefined;
  return () => {
    const atMs = performance.now();
    if (last && atMs - last.atMs < FRESH_MS) return last.reading;
    const reading = read();
    last = { reading, atMs };
    reading.catch(() => {
      if (last?.reading === reading) last = undefined;
    });
    return reading;
  };
}
