import { byId, element } from './dom.js';
import { showExplanation } from './explanation.js';

/** A draft of the configuration, which is priced beside the one in force. */

/** @typedef {import('../../../programme/configuration-error.ts').LocatedFault} LocatedFault */
/** @typedef {import('../../../programme/configuration-error.ts').Place} Place */

const text = () => /** @type {HTMLTextAreaElement} */ (byId('draft-text'));

export class DraftForm {
  constructor() {
    const input = /** @type {HTMLInputElement} */ (byId('draft-load'));
    input.addEventListener('change', async () => {
      const [file] = input.files ?? [];
      if (file) text().value = await file.text();
    });
  }

  /**
   * Offers what a draft may take the place of.
   * @param {readonly string[]} files of the configuration in force
   */
  offer(files) {
    const parts = files.length > 1 ? files : [];
    byId('draft-file').replaceChildren(
      element('option', { value: '' }, 'the whole configuration'),
      ...parts.map((name) => element('option', {}, name)),
    );
  }

  /**
   * The body of the call: the basket alone while there is no draft.
   * @param {object} basket
   */
  addTo(basket) {
    if (text().value.trim() === '') return basket;
    const file = /** @type {HTMLSelectElement} */ (byId('draft-file')).value;
    return { basket, draft: { text: text().value, ...(file !== '' && { file }) } };
  }

  /**
   * Shows what the answer says of the draft: its price and its warnings, or its faults.
   * @param {any} basket
   * @param {any} answer
   * @param {ReadonlyMap<string, string>} textOf texts of the benefits, by benefitId
   */
  show(basket, { draft, error }, textOf) {
    const faults = error?.details?.faults ?? [];
    byId('draft-faults').hidden = faults.length === 0;
    byId('draft-faults').replaceChildren(
      ...faults.map((/** @type {LocatedFault} */ fault) => element('li', {}, wordsOfFault(fault))),
    );
    byId('draft-result').hidden = draft === undefined;
    if (draft === undefined) return;
    showExplanation('draft-', basket, draft, textOf);
    byId('draft-warnings').replaceChildren(
      ...draft.warnings.map((/** @type {Place & { text: string }} */ warning) =>
        element('li', {}, wordsOfWarning(warning)),
      ),
    );
  }
}

/**
 * @param {LocatedFault} fault
 * @returns {string}
 */
export function wordsOfFault(fault) {
  const { found, allowed, nearest } = fault;
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `${describePlace(fault)} found ${found}, allowed: ${allowed}${meant}`;
}

/**
 * @param {Place & { text: string }} warning
 * @returns {string}
 */
export function wordsOfWarning(warning) {
  return `${describePlace(warning)} ${warning.text}`;
}

/** @param {Place} place */
function describePlace({ file, line, column, path }) {
  const position = line === undefined ? '' : `:${line}:${column}`;
  return `${file}${position}:${path === '' ? '' : ` ${path}:`}`;
}
