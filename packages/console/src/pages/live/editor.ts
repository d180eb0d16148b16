import type { LocatedFault } from '../../../../../src/programme/configuration-error.ts';
import type { DraftReview } from '../../../../../src/programme/draft-review.ts';
import type { SourceFile } from '../../../../../src/programme/source.ts';
import { askAdmin, callAdmin, describeFault, type Json } from './admin.ts';
import { byId, element, onFile, onSubmit, saveFile, textIn } from './dom.ts';
import { PriceTable } from './editor-prices.ts';
import type { DraftText } from './editor-view.ts';
import { describeOutcome, showExplanation } from './explanation.ts';
import type { Playground } from './playground.ts';
import { wordsOfFault, wordsOfWarning } from './wording.ts';

/** The editor: a draft is checked, compared and priced while it is typed, tried on recorded baskets, and put in force. */

/** Typing pauses for so long before the service is asked. */
const PAUSE_MS = 500;
/** Somebody else's draft is being looked at. */
const BUSY_MS = 1000;
const MOST_SHOWN = 20;
const NOT_WRITABLE =
  'The service cannot write its configuration here. Download the draft, and put it where the files come from.';

const tellFault = textIn('editor-fault');
const tellState = textIn('editor-state');
const tellPrice = textIn('editor-price');
const tellBacktest = textIn('editor-backtest-state');
const tellPut = textIn('editor-put-state');
const fileSelect: HTMLSelectElement = byId('editor-file');
const noteInput: HTMLInputElement = byId('editor-note');

export class Editor {
  #playground;
  #draft: DraftText | undefined;
  /** By file, what its draft was made from: the text, and the version of the configuration. */
  #origins = new Map<string, { readonly text: string; readonly version: string }>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the changes of the text, so that an answer about an older one is not shown. */
  #changes = 0;
  #prices;

  /** The basket of the playground is priced. */
  constructor(playground: Playground) {
    this.#playground = playground;
    this.#prices = new PriceTable(
      () => this.#body,
      (file, text) => this.#draft?.setText(file, text),
    );
    fileSelect.addEventListener('change', () => this.#showFile());
    byId('editor-reset').addEventListener('click', () => void this.#begin(fileSelect.value));
    byId('editor-download').addEventListener('click', () => this.#download());
    byId('editor-backtest').addEventListener('click', () => void this.#backtest());
    onSubmit('editor-put', () => void this.#putInForce());
    onFile('editor-load', (text) => this.#draft?.setText(fileSelect.value, text));
    addEventListener('beforeunload', (event) => {
      if ([...this.#origins.keys()].some((file) => this.#isChanged(file))) event.preventDefault();
    });
  }

  /** Shows the draft as it was left, or begins one from what is in force. */
  async open() {
    if (this.#origins.size === 0) return this.#begin();
    await this.#playground.open();
    this.#checkSoon(0);
  }

  /** Reads what is in force. Changed drafts stay, except that of the file `dropped`. */
  async #begin(dropped?: string) {
    const answer = await askAdmin('GET', '/admin/configuration/files', tellFault);
    byId('editor-tools').hidden = answer === undefined;
    if (!answer) return;
    tellFault('');
    const { version, files, isWritable, isRecorded } = answer;
    byId('editor-put').hidden = !isWritable;
    tellPut(isWritable ? '' : NOT_WRITABLE);
    byId('editor-backtest-box').hidden = !isRecorded;
    const chosen = fileSelect.value;
    fileSelect.replaceChildren(...files.map(({ name }: SourceFile) => element('option', { value: name }, name)));
    if (files.some(({ name }: SourceFile) => name === chosen)) fileSelect.value = chosen;
    if (!this.#draft) {
      // The library is loaded only for who edits.
      const [{ DraftText }, schema] = await Promise.all([
        import('./editor-view.ts'),
        fetch('/assets/configuration-schema.json').then((reply) => reply.json()),
      ]);
      this.#draft = new DraftText(byId('editor-text'), schema, () => this.#changed());
    }
    this.#takeOver(this.#draft, version, files, dropped);
    await this.#playground.open();
    this.#showFile();
  }

  #takeOver(draft: DraftText, version: string, files: readonly SourceFile[], dropped?: string) {
    const origins = files.map((file) => {
      // With the line breaks that a draft has.
      const [name, text] = [file.name, file.text.replaceAll(/\r\n?/g, '\n')];
      const origin = name !== dropped && this.#isChanged(name) ? this.#origins.get(name) : undefined;
      if (!origin) draft.setText(name, text);
      // A file that somebody else has changed: its draft stays one of the version before, and is not put over the change.
      const isOutdated = origin && origin.text !== text && origin.version !== version;
      return [name, isOutdated ? origin : { text, version }] as const;
    });
    this.#origins = new Map(origins);
  }

  #isChanged(file: string) {
    const origin = this.#origins.get(file);
    return origin !== undefined && this.#draft?.textOf(file) !== origin.text;
  }

  #showFile() {
    this.#draft?.show(fileSelect.value);
    this.#changed(0);
  }

  get #body() {
    return { text: this.#draft?.textOf(fileSelect.value) ?? '', file: fileSelect.value };
  }

  #changed(delayMs = PAUSE_MS) {
    this.#changes += 1;
    for (const option of fileSelect.options) {
      option.textContent = this.#isChanged(option.value) ? `${option.value} (changed)` : option.value;
    }
    tellState('Changed: it will be checked when you pause.');
    this.#checkSoon(delayMs);
  }

  #checkSoon(delayMs: number) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), delayMs);
  }

  async #check() {
    const changes = this.#changes;
    const answer = await callAdmin('POST', '/admin/configuration/check', JSON.stringify(this.#body));
    if (!answer || changes !== this.#changes) return;
    if (answer.status === 503) return this.#checkSoon(BUSY_MS);
    if (answer.status !== 200) return tellState(describeFault(answer.json));
    this.#showReview(answer.json);
    byId('draft-result').hidden = true;
    if (answer.json.faults.length > 0) return tellPrice('Priced when the draft has no errors.');
    await this.#price(changes);
    await this.#prices.show();
  }

  #showReview({ faults, warnings, differences, restartedLimits }: DraftReview) {
    const own = ({ file }: { file: string }) => file === fileSelect.value;
    this.#draft?.mark([
      ...faults.filter(own).map((fault) => ({ ...fault, words: wordsOfFault(fault), severity: 'error' as const })),
      ...warnings.filter(own).map((warning) => ({ ...warning, words: warning.text, severity: 'warning' as const })),
    ]);
    const changes = [...differences.map(({ text }) => text), ...restartedLimits];
    tellState(
      `${count(faults.length, 'error')}, ${count(warnings.length, 'warning')}, ${count(changes.length, 'change')}.`,
    );
    fill(
      'editor-faults',
      faults.map((fault) => this.#linkOf(fault)),
    );
    fill('editor-warnings', warnings.map(wordsOfWarning));
    fill(
      'editor-differences',
      changes.length === 0 ? ['Nothing: the draft equals the configuration in force.'] : changes,
    );
  }

  /** An error as a button that leads to its place. */
  #linkOf(fault: LocatedFault) {
    const { file, line, column } = fault;
    if (line === undefined || file !== fileSelect.value) return wordsOfFault(fault);
    const button = element('button', { type: 'button' }, wordsOfFault(fault));
    button.addEventListener('click', () => this.#draft?.goTo(line, column ?? 1));
    return button;
  }

  async #price(changes: number) {
    const basket = this.#playground.readBasket();
    if (!basket) return tellPrice('The playground’s basket is not complete yet.');
    const at = encodeURIComponent(basket.requestedAt);
    const body = { basket, draft: this.#body };
    const answer = await askAdmin('POST', `/admin/explain?at=${at}`, tellPrice, { body });
    if (!answer || changes !== this.#changes) return;
    const outcomeOf = ({ response, explanation }: Json) => describeOutcome(response, explanation, basket.currency);
    const [now, then] = [outcomeOf(answer), outcomeOf(answer.draft)];
    tellPrice(
      now === then ? `${now} The draft does not change this price.` : `In force: ${now} With the draft: ${then}`,
    );
    byId('draft-result').hidden = false;
    showExplanation('draft-', basket, answer.draft, this.#playground.textOf);
  }

  async #backtest() {
    const button = byId('editor-backtest') as HTMLButtonElement;
    button.disabled = true;
    byId('editor-backtest-report').hidden = true;
    tellBacktest('Pricing recorded baskets with both configurations. This takes up to two minutes.');
    const options = { body: this.#body, keepsToken: true };
    const answer = await askAdmin('POST', '/admin/configuration/backtest', tellBacktest, options);
    button.disabled = false;
    if (!answer) return;
    tellBacktest('Done.');
    byId('editor-backtest-report').hidden = false;
    byId('editor-backtest-report').textContent = answer.report;
  }

  async #putInForce() {
    tellPut('Putting it in force.');
    const body = { ...this.#body, note: noteInput.value };
    const version = this.#origins.get(body.file)?.version;
    const options = { body, keepsToken: true, ifMatch: `"${version}"` };
    const answer = await askAdmin('PUT', '/admin/configuration/files', tellPut, options);
    if (!answer) return;
    if (noteInput.value === body.note) noteInput.value = '';
    // What was typed meanwhile is a draft of what is in force now, and so are drafts of the other files.
    for (const [file, origin] of this.#origins) {
      const text = file === body.file ? body.text : origin.text;
      if (origin.version === version) this.#origins.set(file, { text, version: answer.version });
    }
    await this.#begin();
    tellPut(`In force as ${answer.version}. It is listed in Changes, with your note.`);
  }

  #download() {
    const { text, file } = this.#body;
    saveFile(new Blob([text], { type: 'application/yaml' }), file.split('/').at(-1) ?? 'draft.yaml');
  }
}

function fill(id: string, entries: readonly (Node | string)[]) {
  const more = entries.length - MOST_SHOWN;
  const shown = entries.slice(0, MOST_SHOWN).map((entry) => element('li', {}, entry));
  byId(id).replaceChildren(...shown, ...(more > 0 ? [element('li', {}, `and ${more} more`)] : []));
}

function count(number: number, noun: string) {
  return number === 1 ? `1 ${noun}` : `${number === 0 ? 'no' : number} ${noun}s`;
}
