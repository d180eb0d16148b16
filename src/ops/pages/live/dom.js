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
 * Returns the function that shows a text in an element.
 * @param {string} id
 * @returns {(text: string) => void}
 */
export function textIn(id) {
  return (text) => {
    byId(id).textContent = text;
  };
}

/**
 * Calls `handle` when a form is sent, which would leave the page otherwise.
 * @param {string} id
 * @param {() => void} handle
 */
export function onSubmit(id, handle) {
  byId(id).addEventListener('submit', (event) => {
    event.preventDefault();
    handle();
  });
}

/**
 * Calls `handle` with the text of each file that is chosen.
 * @param {string} id
 * @param {(text: string) => void} handle
 */
export function onFile(id, handle) {
  const input = /** @type {HTMLInputElement} */ (byId(id));
  input.addEventListener('change', async () => {
    const [file] = input.files ?? [];
    if (file) handle(await file.text());
    input.value = '';
  });
}

/**
 * Calls `read` every ten seconds, while the live section can be seen.
 * @param {() => void} read
 */
export function whileLive(read) {
  setInterval(() => {
    if (!document.hidden && !byId('section-live').hidden) read();
  }, 10_000);
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
