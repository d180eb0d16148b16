import { showTokenForm, takeToken } from './admin.js';
import { Changes } from './changes.js';
import { CostHistory } from './cost-history.js';
import { CostTable } from './costs.js';
import { Editor } from './editor.js';
import { LimitTable } from './limits.js';
import { LiveSection } from './live.js';
import { showStory, startLookUp } from './look-up.js';
import { Playground } from './playground.js';
import { readAddress, showSections } from './sections.js';

const live = new LiveSection();
const costs = new CostTable();
const limits = new LimitTable();
const changes = new Changes();
const costHistory = new CostHistory();
const playground = new Playground();
const editor = new Editor(playground);

/** @type {Readonly<Record<string, (argument: string) => unknown>>} */
const onShow = {
  live: () => {
    live.fit();
    return Promise.all([costs.read(), limits.read()]);
  },
  costs: () => costHistory.open(),
  changes: () => changes.open(),
  'look-up': showStory,
  playground: () => playground.open(),
  editor: () => editor.open(),
};

startLookUp();
showSections((name, argument) => {
  showTokenForm(name !== 'live');
  void onShow[name]?.(argument);
});
takeToken(() => {
  const { name, argument } = readAddress();
  void onShow[name]?.(argument);
});
live.start();
costs.start();
limits.start();
