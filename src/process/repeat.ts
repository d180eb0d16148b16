/**
 * Calls `look` again and again, `intervalMs` after its last call has ended; it must not reject. Returns the function that stops
 * it. Nothing here keeps the process alive.
 */
export function repeat(intervalMs: number, look: () => Promise<unknown>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const lookLater = (): void => {
    if (!isStopped) timer = setTimeout(() => void look().finally(lookLater), intervalMs).unref();
  };
  lookLater();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
