/** Leads the links of pages to where a package has the pages; the text of a link that would lead nowhere names the file. */
import { posix } from 'node:path';

/** A link of Markdown to a file, with its text and the anchor behind the file. */
const LINK = /\[(?<text>[^\]]*)\]\((?![a-z]+:|#)(?<file>[^)\s#]+)(?<anchor>#[^)\s]*)?\)/g;

/**
 * The page with its links led. `source` is its path in the repository and `place` its path in the package; `placeOf` gives the
 * place of another file of the repository, undefined where the package has none.
 */
export function leadLinks(
  page: string,
  source: string,
  place: string,
  placeOf: (source: string) => string | undefined,
): string {
  return page.replace(LINK, (_link, text: string, file: string, anchor = '') => {
    const target = posix.join(posix.dirname(source), file);
    const led = placeOf(target);
    if (led === undefined) return `${text} (\`${target}\` of the service's repository)`;
    return `[${text}](${posix.relative(posix.dirname(place), led)}${anchor})`;
  });
}
