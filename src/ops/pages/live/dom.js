/** Helpers between data and the document. Data from callers is always set as text and never parsed as markup. */

/**
 * Finds an element that must be in the page.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return /** @type {T} */ (found);
}

/**
 * Creates an element. An attribute that is undefined or false is left out; true is an attribute without a value.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | undefined>} [attributes]
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {boolean} [isNumber] aligned right, digits of one width
 */

/**
 * Fills a table. The roles are set explicitly: in a narrow window the style sheet turns rows into blocks, and a browser
 * would no longer treat it as a table.
 * @param {HTMLTableElement} table whose caption stays
 * @param {readonly Column[]} columns
 * @param {readonly (readonly (Node | string)[])[]} rows
 * @param {string} whenEmpty the text shown instead of rows
 */
export function fillTable(table, columns, rows, whenEmpty) {
  const head = element(
    'tr',
    { role: 'row' },
    ...columns.map(({ title, isNumber }) =>
      element('th', { scope: 'col', role: 'columnheader', class: isNumber && 'number' }, title),
    ),
  );
  const body = rows.map((cells) =>
    element(
      'tr',
      { role: 'row' },
      ...cells.map((cell, index) => {
        const column = columns[index];
        return element('td', { role: 'cell', class: column?.isNumber && 'number', 'data-title': column?.title }, cell);
      }),
    ),
  );
  const nothing = element('tr', { role: 'row' }, element('td', { role: 'cell', colspan: columns.length }, whenEmpty));
  table.setAttribute('role', 'table');
  table.tHead?.remove();
  for (const part of [...table.tBodies]) part.remove();
  table.append(
    element('thead', { role: 'rowgroup' }, head),
    element(
      'tbody',
      { role: 'rowgroup', class: rows.length === 0 && 'empty' },
      ...(rows.length === 0 ? [nothing] : body),
    ),
  );
}
