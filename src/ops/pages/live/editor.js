import { askAdmin, callAdmin, describeFault } from './admin.js';
import { byId, element, onFile, onSubmit, textIn } from './dom.js';
import { PriceTable } from './editor-prices.js';
import { describeOutcome, showExplanation } from './explanation.js';
import { wordsOfFault, wordsOfWarning } from './fault-wording.js';
import { saveFile } from './save-file.js';

/** The editor: a draft is checked, compared and priced while it is typed, tried on recorded baskets, and put in force. */

/** @typedef {import('./editor-view.js').DraftText} DraftText */
/** @typedef {import('../../../programme/configuration-error.ts').LocatedFault} LocatedFault */
/** @typedef {import('../../../programme/inspect.ts').LocatedWarning} LocatedWarning */
/** @typedef {{ faults: LocatedFault[], warnings: LocatedWarning[], differences: { text: string }[], restartedLimits: string[] }} Review */
/** @typedef {{ name: string, text: string }} File */

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
/** @type {HTMLSelectElement} */
const fileSelect = byId('editor-file');
/** @type {HTMLInputElement} */
const noteInput = byId('editor-note');

export class Editor {
  #playground;
  /** @type {DraftText | undefined} */
  #draft;
  /** What is in force. @type {readonly File[]} */
  #files = [];
  /** The version that the draft was made from. */
  #version = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** Counts the changes of the text, so that an answer about an older one is not shown. */
  #changes = 0;
  #prices;

  /** @param {import('./playground.js').Playground} playground whose basket is priced */
  constructor(playground) {
    this.#playground = playground;
    this.#prices = new PriceTable(
      () => this.#body,
      (text) => this.#setText(text),
    );
    fileSelect.addEventListener('change', () => this.#showFile());
    byId('editor-reset').addEventListener('click', () => void this.#begin());
    byId('editor-download').addEventListener('click', () => this.#download());
    byId('editor-backtest').addEventListener('click', () => void this.#backtest());
    onSubmit('editor-put', () => void this.#putInForce());
    onFile('editor-load', (text) => this.#setText(text));
  }

  /** Shows the draft as it was left, or begins one from what is in force. */
  async open() {
    if (!this.#draft || this.#files.length === 0) return this.#begin();
    await this.#playground.open();
    this.#checkSoon(0);
  }

  async #begin() {
    const answer = await askAdmin('GET', '/admin/configuration/files', tellFault);
    byId('editor-tools').hidden = answer === undefined;
    if (!answer) return;
    tellFault('');
    const { version, files, isWritable, isRecorded } = answer;
    [this.#version, this.#files] = [version, files];
    byId('editor-put').hidden = !isWritable;
    tellPut(isWritable ? '' : NOT_WRITABLE);
    byId('editor-backtest-box').hidden = !isRecorded;
    const chosen = fileSelect.value;
    fileSelect.replaceChildren(...files.map((/** @type {File} */ { name }) => element('option', {}, name)));
    if (files.some((/** @type {File} */ { name }) => name === chosen)) fileSelect.value = chosen;
    if (!this.#draft) {
      // The library is loaded only for who edits.
      const [{ DraftText }, schema] = await Promise.all([
        import('./editor-view.js'),
        fetch('/assets/configuration-schema.json').then((reply) => reply.json()),
      ]);
      this.#draft = new DraftText(byId('editor-text'), schema, () => this.#changed());
    }
    await this.#playground.open();
    this.#showFile();
  }

  #showFile() {
    this.#setText(this.#files.find(({ name }) => name === fileSelect.value)?.text ?? '');
    this.#checkSoon(0);
  }

  /** @param {string} text */
  #setText(text) {
    if (this.#draft) this.#draft.text = text;
  }

  get #body() {
    return { text: this.#draft?.text ?? '', file: fileSelect.value };
  }

  #changed() {
    this.#changes += 1;
    tellState('Changed: it will be checked when you pause.');
    this.#checkSoon(PAUSE_MS);
  }

  /** @param {number} delayMs */
  #checkSoon(delayMs) {
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

  /** @param {Review} review */
  #showReview({ faults, warnings, differences, restartedLimits }) {
    const own = (/** @type {{ file: string }} */ { file }) => file === fileSelect.value;
    this.#draft?.mark([
      ...faults
        .filter(own)
        .map((fault) => ({ ...fault, words: wordsOfFault(fault), severity: /** @type {const} */ ('error') })),
      ...warnings
        .filter(own)
        .map((warning) => ({ ...warning, words: warning.text, severity: /** @type {const} */ ('warning') })),
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

  /** An error as a button that leads to its place. @param {LocatedFault} fault */
  #linkOf(fault) {
    const { file, line, column } = fault;
    if (line === undefined || file !== fileSelect.value) return wordsOfFault(fault);
    const button = element('button', { type: 'button' }, wordsOfFault(fault));
    button.addEventListener('click', () => this.#draft?.goTo(line, column ?? 1));
    return button;
  }

  /** @param {number} changes */
  async #price(changes) {
    const basket = this.#playground.readBasket();
    if (!basket) return tellPrice('The playground’s basket is not complete yet.');
    const at = encodeURIComponent(basket.requestedAt);
    const body = { basket, draft: this.#body };
    const answer = await askAdmin('POST', `/admin/explain?at=${at}`, tellPrice, { body });
    if (!answer || changes !== this.#changes) return;
    const outcomeOf = (/** @type {any} */ { response, explanation }) =>
      describeOutcome(response, explanation, basket.currency);
    const [now, then] = [outcomeOf(answer), outcomeOf(answer.draft)];
    tellPrice(
      now === then ? `${now} The draft does not change this price.` : `In force: ${now} With the draft: ${then}`,
    );
    byId('draft-result').hidden = false;
    showExplanation('draft-', basket, answer.draft, this.#playground.textOf);
  }

  async #backtest() {
    const button = /** @type {HTMLButtonElement} */ (byId('editor-backtest'));
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
    const options = { body, keepsToken: true, ifMatch: `"${this.#version}"` };
    const answer = await askAdmin('PUT', '/admin/configuration/files', tellPut, options);
    if (!answer) return;
    noteInput.value = '';
    await this.#begin();
    tellPut(`In force as ${answer.version}. It is listed in Changes, with your note.`);
  }

  #download() {
    const { text, file } = this.#body;
    saveFile(new Blob([text], { type: 'application/yaml' }), file.split('/').at(-1) ?? 'draft.yaml');
  }
}

/** @param {string} id @param {readonly (Node | string)[]} entries */
function fill(id, entries) {
  const more = entries.length - MOST_SHOWN;
  const shown = entries.slice(0, MOST_SHOWN).map((entry) => element('li', {}, entry));
  byId(id).replaceChildren(...shown, ...(more > 0 ? [element('li', {}, `and ${more} more`)] : []));
}

/** @param {number} number @param {string} noun */
function count(number, noun) {
  return number === 1 ? `1 ${noun}` : `${number === 0 ? 'no' : number} ${noun}s`;
}
