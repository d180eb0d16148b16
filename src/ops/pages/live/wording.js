/** The service's terms in words for people who do not read its source. */

/** @typedef {import('../../live/figures.ts').LiveFigures} LiveFigures */

/** @type {Readonly<Record<string, string>>} */
const EVENTS = {
  answer_applied: 'Baskets answered with a benefit',
  answer_unchanged: 'Baskets answered unchanged',
  answer_member_not_found: 'Baskets of unknown members',
  choice_bounded: 'Baskets whose choice of benefits is not proven best',
  choice_may_miss_much: 'Of those, baskets that another choice could make more than 1 % cheaper, or without a bound',
  own_discount_returned: 'Baskets that brought a discount of this service back',
  replayed: 'Answers given again to a repeated call',
  unusual_body: 'Baskets that were read the slower way, such as those with \\u escapes',
  unreplayable: 'Stored answers that could not be given again: a fault of ours',
  shortage: 'Priced again: another till was faster',
  hold_made: 'Limited benefits held',
  hold_consumed: 'Holds that a sale consumed',
  hold_released: 'Holds given back',
  hold_expired: 'Holds that ended by time',
  sale_recorded: 'Sales recorded',
  sale_duplicate: 'Sale events that came again',
  sale_unknown_calculation: 'Sale events for a calculation never seen',
  sale_late: 'Sales after their hold had ended',
  over_redeemed_units: 'Units consumed past a limit',
  expired: 'Calculations that ended unsold',
};

const REFUSED = 'The configuration on the disk was rejected, and the old one stays in force';

/** @param {string} event */
export function describeEvent(event) {
  return EVENTS[event] ?? event.replaceAll('_', ' ');
}

/**
 * True while callers get no benefits, as far as the page knows.
 * @param {LiveFigures | undefined} figures
 * @param {boolean} isOld
 */
export function isDown(figures, isOld) {
  return figures !== undefined && (isOld || Object.keys(figures.red).length > 0);
}

/**
 * Describes the service's state in a sentence or two.
 * @param {LiveFigures | undefined} figures
 * @param {boolean} isOld
 */
export function describeState(figures, isOld) {
  if (!figures) return { text: 'Waiting for the service', isBad: false };
  if (isOld) return { text: 'No word from the service: these figures are old', isBad: true };
  const red = Object.entries(figures.red).map(([check, reason]) => `${check}: ${reason}`);
  const errors = figures.facts?.configuration;
  const refused = errors ? `. ${REFUSED}:\n${errors}` : figures.isConfigurationRefused ? `. ${REFUSED}` : '';
  // A weak setting is an operator's choice: readiness and the metric show it, and nobody has to act.
  const facts = Object.entries(figures.facts ?? {}).flatMap(([name, fact]) =>
    name === 'weakSettings' || name === 'configuration' ? [] : [`. ${fact}`],
  );
  const also = `${facts.join('')}${refused}`;
  if (red.length > 0) return { text: `Not ready. ${red.join('; ')}${also}`, isBad: true };
  return { text: `Ready${also}`, isBad: also !== '' };
}
