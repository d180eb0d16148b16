import type { VenueEntry } from '../../../../../src/programme/schema.ts';
import { askAdmin, type Json } from './admin.ts';
import { BasketForm, FormFault } from './basket-form.ts';
import { byId, element, textIn } from './dom.ts';
import { EXAMPLES, VENUE_OF_EXAMPLES } from './examples.ts';
import { showExplanation } from './explanation.ts';

const tellFault = textIn('playground-fault');

/** The playground: a basket is built or pasted, priced as a dry run, and explained. */
export class Playground {
  #form = new BasketForm();
  /** Texts of the benefits, by benefitId. */
  textOf: Map<string, string> = new Map();
  /** Version of the configuration whose venues and benefits are shown. */
  #version = '';

  constructor() {
    byId('price').addEventListener('click', () => void this.#priceForm());
    byId('price-json').addEventListener('click', () => void this.#priceJson());
    byId('copy-basket').addEventListener('click', () => this.#copyBasket());
    this.#offerExamples();
  }

  /** Shows the venues and benefits of the configuration in force. */
  async open() {
    const answer = await askAdmin('GET', '/admin/configuration', tellFault);
    byId('playground-tools').hidden = answer === undefined;
    if (!answer) return;
    const { version, venues, programmes } = answer;
    if (version === this.#version) return;
    this.#version = version;
    for (const { benefits } of programmes) {
      for (const { benefitId, text } of benefits ?? []) this.textOf.set(benefitId, text ?? benefitId);
    }
    this.#form.offer(venues);
    byId('examples-box').hidden = !venues.some(({ venueId }: VenueEntry) => venueId === VENUE_OF_EXAMPLES);
  }

  #offerExamples() {
    byId('examples').replaceChildren(
      ...EXAMPLES.map((example) => {
        const button = element('button', { type: 'button' }, example.title);
        button.addEventListener('click', () => {
          byId('question').textContent = example.question;
          this.#form.fill(example);
          void this.#priceForm();
        });
        return element('li', {}, button);
      }),
    );
  }

  /** The basket of the form; undefined while its fields are no basket, which `tell` hears of. */
  readBasket(tell: (fault: FormFault) => void = () => {}): Json {
    try {
      return this.#form.read();
    } catch (fault) {
      if (!(fault instanceof FormFault)) throw fault;
      return void tell(fault);
    }
  }

  async #priceForm() {
    const basket = this.readBasket((fault) => {
      tellFault(fault.message);
      fault.field.focus();
    });
    // The form prices the basket at its own time; a pasted basket is priced as if it came in now.
    if (basket) await this.#price(basket, `?at=${encodeURIComponent(basket.requestedAt)}`);
  }

  async #priceJson() {
    let basket: Json;
    try {
      basket = JSON.parse((byId('basket-json') as HTMLTextAreaElement).value);
    } catch (error) {
      tellFault(`This is not JSON: ${(error as Error).message}`);
      return;
    }
    await this.#price(basket);
  }

  async #price(basket: Json, query: string = '') {
    tellFault('');
    const answer = await askAdmin('POST', `/admin/explain${query}`, tellFault, { body: basket });
    byId('result').hidden = answer === undefined;
    if (!answer) return;
    showExplanation('', basket, answer, this.textOf);
    byId('outcome').focus();
  }

  /** Copies the form's basket as JSON into the text area, to be edited by hand. */
  #copyBasket() {
    const basket = this.readBasket((fault) => tellFault(fault.message));
    if (!basket) return;
    const area = byId('basket-json') as HTMLTextAreaElement;
    area.value = JSON.stringify(basket, null, 2);
    area.focus();
  }
}
