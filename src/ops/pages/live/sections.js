import { byId } from './dom.js';

/** The three sections, one at a time, by the address after the #: links, bookmarks and the back button work. */

const NAMES = ['live', 'look-up', 'playground'];

/** What the address says: `#look-up/<calculationId>` is the section and what to look for in it. */
export function readAddress() {
  const [name = '', ...rest] = decodeURIComponent(location.hash.slice(1)).split('/');
  return { name: NAMES.includes(name) ? name : 'live', argument: rest.join('/') };
}

/**
 * Shows the section that the address names, now and whenever it changes.
 * @param {Readonly<Record<string, (argument: string) => void>>} onShow called with what stands behind the section's name
 */
export function showSections(onShow) {
  const show = (/** @type {boolean} */ isFirst) => {
    // The link that skips to the content is no section.
    if (location.hash === '#main') return;
    const { name, argument } = readAddress();
    for (const other of NAMES) byId(`section-${other}`).hidden = other !== name;
    for (const link of document.querySelectorAll('nav a')) {
      const isCurrent = link.getAttribute('data-section') === name;
      if (isCurrent) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    document.title = `${byId(`title-${name}`).textContent} · Loyalty gateway`;
    onShow[name]?.(argument);
    if (!isFirst) window.scrollTo(0, 0);
  };
  addEventListener('hashchange', () => show(false));
  show(true);
}
