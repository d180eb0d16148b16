import { constants } from 'node:os';

/** The first signal lets a command end in order, by the signal that this returns; the second one ends its process. */
export function closeOnSignals(): AbortSignal {
  const closing = new AbortController();
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => (closing.signal.aborted ? process.exit(128 + constants.signals[name]) : closing.abort()));
  }
  return closing.signal;
}
