import { showTokenForm } from './admin.ts';
import { byId } from './dom.ts';

/**
 * Shows one of the sections, chosen by the address after the #, so that links, bookmarks and the back button work.
 */

/** The sections, with what is done when one is shown: `argument` is the text after its name in the address. */
type Sections = Readonly<Record<string, (argument: string) => unknown>>;

/**
 * Shows the section in the address (`#look-up/<calculationId>` is a section and its argument), now and after every change of
 * the address. Returns the function that does again what is done when the present one is shown.
 */
export function showSections(sections: Sections) {
  const readAddress = () => {
    const [name = '', ...rest] = decodeURIComponent(location.hash.slice(1)).split('/');
    return { name: Object.hasOwn(sections, name) ? name : 'live', argument: rest.join('/') };
  };
  const run = () => {
    const { name, argument } = readAddress();
    void sections[name]?.(argument);
  };
  const show = (isFirst: boolean) => {
    // The link that skips to the content names no section.
    if (location.hash === '#main') return;
    const { name } = readAddress();
    for (const other of Object.keys(sections)) byId(`section-${other}`).hidden = other !== name;
    for (const link of document.querySelectorAll('nav a')) {
      const isCurrent = link.getAttribute('data-section') === name;
      if (isCurrent) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    showTokenForm(name !== 'live');
    run();
    if (!isFirst) window.scrollTo(0, 0);
  };
  addEventListener('hashchange', () => show(false));
  show(true);
  return run;
}
