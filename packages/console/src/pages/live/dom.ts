/** Helpers between data and the document. Data from callers is always set as text and never parsed as markup. */

/** Finds an element that must be in the page. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Returns the function that shows a text in an element. */
export function textIn(id: string): (text: string) => void {
  return (text) => {
    byId(id).textContent = text;
  };
}

/** Calls `handle` when a form is sent, which would leave the page otherwise. */
export function onSubmit(id: string, handle: () => void) {
  byId(id).addEventListener('submit', (event) => {
    event.preventDefault();
    handle();
  });
}

/** Calls `handle` with the text of each file that is chosen. */
export function onFile(id: string, handle: (text: string) => void) {
  const input = byId(id) as HTMLInputElement;
  input.addEventListener('change', async () => {
    const [file] = input.files ?? [];
    if (file) handle(await file.text());
    input.value = '';
  });
}

/** Has the browser save a file. */
export function saveFile(content: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Creates an element. An attribute that is undefined or false is left out; true is an attribute without a value. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean | undefined> = {},
  ...children: (Node | string | undefined)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A column of a table; one of numbers is aligned right. */
export type Column = string | { readonly numbers: string };

export function numbers(title: string): Column {
  return { numbers: title };
}

/**
 * Fills a table, whose caption stays; `whenEmpty` is shown instead of rows. The roles are set explicitly: in a narrow window the
 * style sheet turns rows into blocks, and a browser would no longer treat it as a table.
 */
export function fillTable(
  table: HTMLTableElement,
  columns: readonly Column[],
  rows: readonly (readonly (Node | string)[])[],
  whenEmpty: string,
) {
  const titles = columns.map((column) => (typeof column === 'string' ? column : column.numbers));
  const classOf = (index: number) => typeof columns[index] !== 'string' && 'number';
  const head = element(
    'tr',
    { role: 'row' },
    ...titles.map((title, index) =>
      element('th', { scope: 'col', role: 'columnheader', class: classOf(index) }, title),
    ),
  );
  const body = rows.map((cells) =>
    element(
      'tr',
      { role: 'row' },
      ...cells.map((cell, index) =>
        element('td', { role: 'cell', class: classOf(index), 'data-title': titles[index] }, cell),
      ),
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
