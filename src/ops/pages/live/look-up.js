import { callAdmin, describeFault } from './admin.js';
import { byId, element } from './dom.js';

/** The history of one calculation, told in sentences. */

/** @type {HTMLInputElement} */
const input = byId('calculation-id');

/** Connects the form. The ID is put into the address, so that a look-up can be bookmarked and sent to a colleague. */
export function startLookUp() {
  byId('look-up-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const address = `#look-up/${input.value.trim().toLowerCase()}`;
    if (location.hash === address) void showStory(input.value.trim().toLowerCase());
    else location.hash = address;
  });
}

/**
 * Looks up a calculation and shows its history. An empty ID clears the section.
 * @param {string} calculationId
 */
export async function showStory(calculationId) {
  const [status, box] = [byId('story-status'), byId('story')];
  status.textContent = '';
  box.replaceChildren();
  input.value = calculationId;
  if (calculationId === '') return;
  const answer = await callAdmin('GET', `/admin/calculations/${encodeURIComponent(calculationId)}`);
  if (!answer) return;
  if (answer.status !== 200) {
    status.textContent = describeFault(answer.json);
    return;
  }
  const { state, story } = answer.json;
  status.textContent = `Now: ${String(state).replaceAll('_', ' ')}.`;
  box.replaceChildren(
    element('ol', { class: 'story' }, ...story.map((/** @type {string} */ sentence) => element('li', {}, sentence))),
    element('details', {}, element('summary', {}, 'All that is known, as JSON'), jsonOf(answer.json)),
  );
}

/** @param {unknown} value */
function jsonOf(value) {
  return element('pre', {}, JSON.stringify(value, null, 2));
}
