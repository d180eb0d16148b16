import { byId } from './dom.ts';
import { nameSection } from './title.ts';

/**
 * Shows one of the sections, chosen by the address after the #, so that links, bookmarks and the back button work.
 */

const NAMES = ['live', 'costs', 'changes', 'look-up', 'playground', 'editor'];

/** Parses the address: `#look-up/<calculationId>` is a section and its argument. */
export function readAddress() {
  const [name = '', ...rest] = decodeURIComponent(location.hash.slice(1)).split('/');
  return { name: NAMES.includes(name) ? name : 'live', argument: rest.join('/') };
}

/**
 * Shows the section in the address, now and after every change of the address. `onShow` is called with the section's name and
 * the text after it.
 */
export function showSections(onShow: (name: string, argument: string) => void) {
  const show = (isFirst: boolean) => {
    // The link that skips to the content names no section.
    if (location.hash === '#main') return;
    const { name, argument } = readAddress();
    for (const other of NAMES) byId(`section-${other}`).hidden = other !== name;
    for (const link of document.querySelectorAll('nav a')) {
      const isCurrent = link.getAttribute('data-section') === name;
      if (isCurrent) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    nameSection(byId(`title-${name}`).textContent ?? '');
    onShow(name, argument);
    if (!isFirst) window.scrollTo(0, 0);
  };
  addEventListener('hashchange', () => show(false));
  show(true);
}
