import type { Json } from './admin.ts';
import { History } from './history.ts';
import { listen } from './stream.ts';

/** The worker that all tabs of a browser share: one stream, which it remembers for tabs that are opened later. */

const history = new History();
let refusals: unknown = [];
const tabs: Set<MessagePort> = new Set();

function hear(event: string, data: Json) {
  if (event === 'history') history.take(data);
  if (event === 'figures') history.add(data);
  if (event === 'refusals') refusals = data;
  for (const tab of tabs) tab.postMessage({ event, data });
}

addEventListener('connect', (event) => {
  const [tab] = (event as MessageEvent).ports;
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
