import { callAdmin, describeFault } from './admin.js';
import { byId, element, fillTable } from './dom.js';
import { saveFile } from './save-file.js';

/** What was in force and what people have changed: one list, and what changed between any two configurations. */

/** @typedef {{ version: string, since: string, until?: string, note?: string, files: string[] }} Configuration */
/** @typedef {{ at: string, action: string, version?: string, note?: string, who?: string, facts?: Record<string, unknown> }} Change */

const COLUMNS = [{ title: 'When' }, { title: 'What' }, { title: 'Who' }, { title: 'Note' }];
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** @type {(id: string) => HTMLSelectElement} */
const select = (id) => byId(id);

export class Changes {
  constructor() {
    byId('compare-form').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#compare();
    });
    byId('download-configuration').addEventListener('click', () => void this.#download());
  }

  async open() {
    const answer = await callAdmin('GET', '/admin/configurations');
    if (!answer) return;
    if (answer.status !== 200) return this.#tell(describeFault(answer.json));
    const { configurations, changes } = answer.json;
    this.#offer(configurations);
    fillTable(
      /** @type {HTMLTableElement} */ (byId('changes')),
      COLUMNS,
      changes.map(toRow),
      'Nothing has changed yet.',
    );
    if (configurations.length > 1) await this.#compare();
  }

  /** @param {readonly Configuration[]} configurations newest first */
  #offer(configurations) {
    for (const [id, at] of /** @type {const} */ ([
      ['compare-from', 1],
      ['compare-to', 0],
    ])) {
      const chosen = select(id).value;
      const options = configurations.map(({ version, since, note }) => {
        const words = note === undefined ? '' : `: ${note.slice(0, 60)}`;
        return new Option(`${TIME.format(new Date(since))}${words} (${version})`, version);
      });
      select(id).replaceChildren(...options);
      select(id).value = chosen || (configurations[at] ?? configurations[0])?.version || '';
    }
  }

  async #compare() {
    const [from, to] = [select('compare-from').value, select('compare-to').value];
    const answer = await callAdmin('GET', `/admin/configurations/${from}/diff/${to}`);
    if (!answer) return;
    const list = byId('differences');
    list.replaceChildren();
    if (answer.status !== 200) return this.#tell(describeFault(answer.json));
    const { differences, restartedLimits } = answer.json;
    const sentences = [...differences.map((/** @type {{ text: string }} */ { text }) => text), ...restartedLimits];
    this.#tell(sentences.length === 0 ? 'They are equal.' : '');
    list.append(...sentences.map((/** @type {string} */ text) => element('li', {}, text)));
  }

  async #download() {
    const answer = await callAdmin('GET', `/admin/configurations/${select('compare-to').value}`);
    if (!answer) return;
    if (answer.status !== 200) return this.#tell(describeFault(answer.json));
    for (const { name, text } of answer.json.files) {
      saveFile(new Blob([text], { type: 'application/yaml' }), name.split('/').at(-1) ?? name);
    }
  }

  /** @param {string} text */
  #tell(text) {
    byId('changes-status').textContent = text;
  }
}

/** @param {Change} change */
function toRow({ at, action, version, note, who, facts }) {
  const told = facts === undefined ? '' : JSON.stringify(facts);
  const what = action === 'configuration' ? `Configuration ${version} came into force` : action;
  return [TIME.format(new Date(at)), what, who ?? '', note ?? (told === '{}' ? '' : told)];
}
