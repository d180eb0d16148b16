import { History } from './history.js';
import { listen } from './stream-source.js';

/** The worker that all tabs of a browser share: one stream, which it remembers for tabs that are opened later. */

const history = new History();
/** @type {unknown} */
let refusals = [];
/** @type {Set<MessagePort>} */
const tabs = new Set();

/**
 * @param {string} event
 * @param {any} data
 */
function hear(event, data) {
  if (event === 'history') history.take(data);
  if (event === 'figures') history.add(data);
  if (event === 'refusals') refusals = data;
  for (const tab of tabs) tab.postMessage({ event, data });
}

addEventListener('connect', (event) => {
  const [tab] = /** @type {MessageEvent} */ (event).ports;
  if (!tab) return;
  tab.onmessage = ({ data }) => {
    if (data === 'close') return tabs.delete(tab);
    tabs.add(tab);
    const newest = history.readings.at(-1);
    if (!newest) return;
    tab.postMessage({ event: 'history', data: history.readings });
    tab.postMessage({ event: 'figures', data: newest });
    tab.postMessage({ event: 'refusals', data: refusals });
  };
});

listen(hear);
