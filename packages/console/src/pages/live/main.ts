import { takeToken } from './admin.ts';
import { showChanges, startChanges } from './changes.ts';
import { CostHistory } from './cost-history.ts';
import { Editor } from './editor.ts';
import { LiveSection } from './live.ts';
import { showStory, startLookUp } from './look-up.ts';
import { Playground } from './playground.ts';
import { startCosts, startLimits } from './polled-tables.ts';
import { showSections } from './sections.ts';

const live = new LiveSection();
const readCosts = startCosts();
const readLimits = startLimits();
const costHistory = new CostHistory();
const playground = new Playground();
const editor = new Editor(playground);

startChanges();
startLookUp();
const showAgain = showSections({
  live: () => {
    live.fit();
    return Promise.all([readCosts(), readLimits()]);
  },
  costs: () => costHistory.open(),
  changes: showChanges,
  'look-up': showStory,
  playground: () => playground.open(),
  editor: () => editor.open(),
});
takeToken(showAgain);
live.start();
