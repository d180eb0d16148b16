import { askAdmin, type Json } from './admin.ts';
import { byId, element, onSubmit, textIn } from './dom.ts';
import { describeOutcome, fillBenefits, fillLines } from './explanation.ts';
import { sentencesOf } from './explanation-wording.ts';
import { formatTime } from './format.ts';
import { whatIfReturned } from './returns.ts';
import { startSaleSearch } from './sale-search.ts';
import { detailsOf } from './wording.ts';

/** Past sales: what became of each, told in sentences, and why it was priced as it was. */

const input: HTMLInputElement = byId('looked-up');

/** Connects the form. What is looked up is put into the address, so that it can be bookmarked and sent to a colleague. */
export function startLookUp() {
  startSaleSearch();
  onSubmit('look-up-form', () => {
    const address = `#look-up/${encodeURIComponent(input.value.trim())}`;
    if (location.hash === address) void showStory(input.value.trim());
    else location.hash = address;
  });
}

/** Looks up a receipt or an ID and shows what is known. An empty one clears the section. */
export async function showStory(id: string) {
  const [tell, box] = [textIn('story-status'), byId('story')];
  tell('');
  box.replaceChildren();
  input.value = id;
  if (id === '') return;
  const answer = await askAdmin('GET', `/admin/look-up?id=${encodeURIComponent(id)}`, tell);
  if (!answer) return;
  const { calculations, refusals } = answer;
  const found = [
    calculations.length === 1 ? `Now: ${stateOf(calculations[0])}.` : `${calculations.length} calculations.`,
    refusals.length === 0 ? '' : `Refused ${refusals.length === 1 ? 'once' : `${refusals.length} times`}.`,
  ];
  tell((calculations.length === 0 ? found.slice(1) : found).join(' ').trim());
  box.replaceChildren(...calculations.flatMap(describeCalculation), ...refusals.map(describeRefusal));
}

function stateOf({ calculation }: Json) {
  return String(calculation.state).replaceAll('_', ' ');
}

function describeCalculation(told: Json) {
  const { calculation, past, notExplained } = told;
  const isSold = calculation.sale !== undefined && calculation.sale.status !== 'cancelled';
  return [
    element('h2', {}, `Calculation ${calculation.calculationId}: ${stateOf(told)}`),
    element('ol', { class: 'story' }, ...calculation.story.map((sentence: string) => element('li', {}, sentence))),
    ...(past ? describePast(past) : [element('p', {}, `It cannot be explained line by line. ${notExplained}`)]),
    ...(past?.isSame && isSold ? [whatIfReturned(calculation, past)] : []),
    element(
      'details',
      {},
      element('summary', {}, 'All details as JSON'),
      element('pre', {}, JSON.stringify(told, null, 2)),
    ),
  ];
}

function describePast({ basket, response, explanation, texts, isSame, circumstances }: Json) {
  const textOf: Map<string, string> = new Map(Object.entries(texts));
  const lines = element('table', { class: 'stacks' }, element('caption', {}, `Lines, in ${basket.currency}`));
  const benefits = element('table', { class: 'stacks' }, element('caption', {}, 'Benefits of the programme'));
  fillLines(lines, basket, { response, explanation }, textOf);
  fillBenefits(benefits, explanation, textOf, basket.currency);
  const other = 'The new price differs from the original answer, which another version of the service gave.';
  return [
    element('p', { class: 'outcome' }, describeOutcome(response, explanation, basket.currency)),
    isSame ? undefined : element('p', { class: 'fault' }, other),
    listOf(sentencesOf(circumstances, textOf)),
    lines,
    benefits,
  ].filter((part) => part !== undefined);
}

function listOf(sentences: readonly string[]) {
  return element('ul', { class: 'story' }, ...sentences.map((sentence) => element('li', {}, sentence)));
}

function describeRefusal(refusal: Json) {
  const { at, route, status, code, message } = refusal;
  // A refused call may name no venue of ours: its time is told as the other lists of the page tell theirs.
  const when = formatTime(at, Intl.DateTimeFormat().resolvedOptions().timeZone);
  return element('p', {}, `${when}: ${route} was refused with ${status} ${code}. ${message}${detailsOf(refusal)}`);
}
