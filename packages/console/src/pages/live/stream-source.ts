/** The events of `GET /live`, in a page or in the worker that its tabs share. */

/** Pause before the next attempt after a refused stream (too many viewers). */
const REFUSED_PAUSE_MS = 5000;

const EVENTS = ['history', 'figures', 'refusals'];

/** Opens the stream. The browser reopens a stream that ended, but not one that was refused. */
export function listen(hear: (event: string, data: unknown) => void) {
  const source = new EventSource('/live');
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(hear), REFUSED_PAUSE_MS);
  });
  for (const event of EVENTS) {
    source.addEventListener(event, ({ data }) => hear(event, JSON.parse(data)));
  }
}
