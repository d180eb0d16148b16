import { showTokenForm, takeToken } from './admin.ts';
import { Changes } from './changes.ts';
import { CostHistory } from './cost-history.ts';
import { CostTable } from './costs.ts';
import { Editor } from './editor.ts';
import { LimitTable } from './limits.ts';
import { LiveSection } from './live.ts';
import { showStory, startLookUp } from './look-up.ts';
import { Playground } from './playground.ts';
import { readAddress, showSections } from './sections.ts';

const live = new LiveSection();
const costs = new CostTable();
const limits = new LimitTable();
const changes = new Changes();
const costHistory = new CostHistory();
const playground = new Playground();
const editor = new Editor(playground);

const onShow: Readonly<Record<string, (argument: string) => unknown>> = {
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
