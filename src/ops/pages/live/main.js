import { LiveSection } from './live.js';
import { showSections } from './sections.js';

const live = new LiveSection();
showSections({ live: () => live.fit() });
live.start();
