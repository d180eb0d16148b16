import type { Configurations } from '../../admin/configuration-schemas.ts';
import { askAdmin } from './admin.ts';
import { byId, element, fillTable, onSubmit, saveFile, textIn } from './dom.ts';

/** What was in force and what people have changed: one list, and what changed between any two configurations. */

type Configuration = Configurations['configurations'][number];
type Change = Configurations['changes'][number];

const COLUMNS = ['When', 'What', 'Who', 'Note'];
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

const tell = textIn('changes-status');
const select: (id: string) => HTMLSelectElement = (id) => byId(id);

/** Connects the form. */
export function startChanges() {
  onSubmit('compare-form', () => void compare());
  byId('download-configuration').addEventListener('click', () => void download());
}

export async function showChanges() {
  const answer = await askAdmin('GET', '/admin/configurations', tell);
  if (!answer) return;
  const { configurations, changes } = answer;
  offer(configurations);
  fillTable(byId('changes') as HTMLTableElement, COLUMNS, changes.map(toRow), 'Nothing has changed yet.');
  if (configurations.length > 1) await compare();
}

/** What stood there without a choice of the person: it moves on when another configuration comes into force. */
const suggested = new Map<string, string>();

/** Offers the configurations, newest first, for the comparison. */
function offer(configurations: readonly Configuration[]) {
  for (const [id, at] of [
    ['compare-from', 1],
    ['compare-to', 0],
  ] as const) {
    const { value } = select(id);
    const isChosen = value !== suggested.get(id) && configurations.some(({ version }) => version === value);
    const suggestion = (configurations[at] ?? configurations[0])?.version ?? '';
    const options = configurations.map(({ version, since, note }) => {
      const words = note === undefined ? '' : `: ${note.slice(0, 60)}`;
      return new Option(`${TIME.format(new Date(since))}${words} (${version})`, version);
    });
    select(id).replaceChildren(...options);
    select(id).value = isChosen ? value : suggestion;
    suggested.set(id, suggestion);
  }
}

async function compare() {
  const [from, to] = [select('compare-from').value, select('compare-to').value];
  const answer = await askAdmin('GET', `/admin/configurations/${from}/diff/${to}`, tell);
  const differences = (answer?.differences ?? []).map(({ text }: { text: string }) => text);
  const sentences: string[] = [...differences, ...(answer?.restartedLimits ?? [])];
  // Two comparisons may be under way: each is shown in one step, and only the one that was asked for last.
  if (from !== select('compare-from').value || to !== select('compare-to').value) return;
  byId('differences').replaceChildren(...sentences.map((text) => element('li', {}, text)));
  if (answer) tell(sentences.length === 0 ? 'They are equal.' : '');
}

async function download() {
  const answer = await askAdmin('GET', `/admin/configurations/${select('compare-to').value}`, tell);
  for (const { name, text } of answer?.files ?? []) {
    saveFile(new Blob([text], { type: 'application/yaml' }), name.split('/').at(-1) ?? name);
  }
}

function toRow({ at, action, version, note, who, facts }: Change) {
  const told = facts === undefined ? '' : JSON.stringify(facts);
  const what = action === 'configuration' ? `Configuration ${version} came into force` : action;
  return [TIME.format(new Date(at)), what, who ?? '', note ?? (told === '{}' ? '' : told)];
}
