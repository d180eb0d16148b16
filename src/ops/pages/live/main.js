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

/** @type {Readonly<Record<string, (argument: string) => void>>} */
const onShow = {
  live: () => {
    showTokenForm(false);
    live.fit();
    void costs.read();
    void limits.read();
  },
  costs: () => {
    showTokenForm(true);
    void costHistory.open();
  },
  changes: () => {
    showTokenForm(true);
    void changes.open();
  },
  'look-up': (calculationId) => {
    showTokenForm(true);
    void showStory(calculationId);
  },
  playground: () => {
    showTokenForm(true);
    void playground.open();
  },
  editor: () => {
    showTokenForm(true);
    void editor.open();
  },
};

startLookUp();
showSections(onShow);
takeToken(() => {
  const { name, argument } = readAddress();
  onShow[name]?.(argument);
});
live.start();
costs.start();
limits.start();
