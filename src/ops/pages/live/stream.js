/**
 * The stream of `GET /live`. All tabs of a browser share one through a worker, because the service has room for few
 * viewers. A browser without such workers opens one for each tab.
 */

import { EVENTS, listen } from './stream-source.js';

/** @typedef {import('../../live/figures.ts').LiveFigures} LiveFigures */
/** @typedef {import('../../../telemetry/recent-refusals.ts').RefusalNote} RefusalNote */

/**
 * @typedef {object} Listeners
 * @property {(readings: readonly LiveFigures[]) => void} history once for each connection, before its first figures
 * @property {(figures: LiveFigures) => void} figures
 * @property {(refusals: readonly RefusalNote[]) => void} refusals
 */

/** @param {Listeners} listeners */
export function openStream(listeners) {
  const hear = (/** @type {string} */ event, /** @type {any} */ data) => {
    if (EVENTS.includes(event)) listeners[/** @type {keyof Listeners} */ (event)](data);
  };
  if (typeof SharedWorker === 'undefined') return listen(hear);
  const { port } = new SharedWorker('/assets/stream-worker.js', { type: 'module', name: 'live' });
  port.onmessage = ({ data }) => hear(data.event, data.data);
  port.postMessage('open');
  // A page that the browser keeps for its back button takes no part until it is shown again.
  addEventListener('pagehide', () => port.postMessage('close'));
  addEventListener('pageshow', ({ persisted }) => persisted && port.postMessage('open'));
}
