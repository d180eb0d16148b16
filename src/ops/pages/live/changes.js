import { askAdmin } from './admin.js';
import { byId, element, fillTable, onSubmit, textIn } from './dom.js';
import { saveFile } from './save-file.js';

/** What was in force and what people have changed: one list, and what changed between any two configurations. */

/** @typedef {{ version: string, since: string, until?: string, note?: string, files: string[] }} Configuration */
/** @typedef {{ at: string, action: string, version?: string, note?: string, who?: string, facts?: Record<string, unknown> }} Change */

const COLUMNS = [{ title: 'When' }, { title: 'What' }, { title: 'Who' }, { title: 'Note' }];
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

const tell = textIn('changes-status');
/** @type {(id: string) => HTMLSelectElement} */
const select = (id) => byId(id);

export class Changes {
  constructor() {
    onSubmit('compare-form', () => void this.#compare());
    byId('download-configuration').addEventListener('click', () => void this.#download());
  }

  async open() {
    const answer = await askAdmin('GET', '/admin/configurations', tell);
    if (!answer) return;
    const { configurations, changes } = answer;
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
    const list = byId('differences');
    list.replaceChildren();
    const answer = await askAdmin('GET', `/admin/configurations/${from}/diff/${to}`, tell);
    if (!answer) return;
    const { differences, restartedLimits } = answer;
    const sentences = [...differences.map((/** @type {{ text: string }} */ { text }) => text), ...restartedLimits];
    tell(sentences.length === 0 ? 'They are equal.' : '');
    list.append(...sentences.map((/** @type {string} */ text) => element('li', {}, text)));
  }

  async #download() {
    const answer = await askAdmin('GET', `/admin/configurations/${select('compare-to').value}`, tell);
    for (const { name, text } of answer?.files ?? []) {
      saveFile(new Blob([text], { type: 'application/yaml' }), name.split('/').at(-1) ?? name);
    }
  }
}

/** @param {Change} change */
function toRow({ at, action, version, note, who, facts }) {
  const told = facts === undefined ? '' : JSON.stringify(facts);
  const what = action === 'configuration' ? `Configuration ${version} came into force` : action;
  return [TIME.format(new Date(at)), what, who ?? '', note ?? (told === '{}' ? '' : told)];
}
