/**
 * SIGHUP and SIGUSR2 end a process that does not listen to them. A process that is starting keeps them until it can obey:
 * a deployment may write new files and ask for a reload before the service has started.
 */
const KEPT = ['SIGHUP', 'SIGUSR2'] as const;
type KeptSignal = (typeof KEPT)[number];

const kept = new Set<NodeJS.Signals>();
const keep = (signal: NodeJS.Signals): void => void kept.add(signal);

/** Keeps the signals from now on. */
export function keepSignals(): void {
  for (const signal of KEPT) process.on(signal, keep);
}

/** Obeys the signal from now on, and at once if one was kept. */
export function obeySignal(signal: KeptSignal, obey: () => void): void {
  process.off(signal, keep);
  process.on(signal, obey);
  if (kept.delete(signal)) obey();
}
