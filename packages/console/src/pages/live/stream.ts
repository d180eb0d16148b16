import type { RefusalNote } from '../../../../../src/telemetry/recent-refusals.ts';
import type { LiveFigures } from '../../live/figures.ts';
import type { Json } from './admin.ts';

/**
 * The stream of `GET /live`. All tabs of a browser share one through a worker, because the service has room for few
 * viewers. A browser without such workers opens one for each tab.
 */

/** Pause before the next attempt after a refused stream (too many viewers). */
const REFUSED_PAUSE_MS = 5000;

const EVENTS = ['history', 'figures', 'refusals'];

interface Listeners {
  /** Once for each connection, before its first figures. */
  history: (readings: readonly LiveFigures[]) => void;
  figures: (figures: LiveFigures) => void;
  refusals: (refusals: readonly RefusalNote[]) => void;
}

export function openStream(listeners: Listeners) {
  const hear = (event: string, data: Json) => listeners[event as keyof Listeners](data);
  if (typeof SharedWorker === 'undefined') return listen(hear);
  const { port } = new SharedWorker('/assets/stream-worker.js', { type: 'module', name: 'live' });
  port.onmessage = ({ data }) => hear(data.event, data.data);
  port.postMessage('open');
  // A page that the browser keeps for its back button takes no part until it is shown again.
  addEventListener('pagehide', () => port.postMessage('close'));
  addEventListener('pageshow', ({ persisted }) => persisted && port.postMessage('open'));
}

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
