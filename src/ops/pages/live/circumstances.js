import { element } from './dom.js';
import { formatAmount } from './format.js';

/** What a past price depended on beside the basket, in a few sentences. */

/**
 * @param {any} circumstances as the look-up answers them
 * @param {ReadonlyMap<string, string>} textOf
 */
export function describeCircumstances({ configuration, requestedAt, answeredAt, offsetSeconds, member, left }, textOf) {
  const clocks = [
    `The till's clock was ${requestedAt}`,
    answeredAt ? `, ours ${answeredAt}` : '',
    offsetWords(offsetSeconds),
  ];
  const who = member
    ? `The member was ${member.status}, ${member.tier === undefined ? 'without a tier' : `of the tier ${member.tier}`}${grantWords(member.grants)}.`
    : 'The programme does not have this member.';
  return element(
    'ul',
    { class: 'story' },
    element('li', {}, `${clocks.join('')}.`),
    element('li', {}, who),
    element('li', {}, `The configuration ${configuration} priced it.`),
    ...left.map((/** @type {any} */ limit) => element('li', {}, limitWords(limit, textOf))),
  );
}

/** @param {number | undefined} seconds */
function offsetWords(seconds) {
  if (seconds === undefined) return '';
  if (seconds === 0) return ': the same second';
  return `: ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`;
}

/** @param {readonly (string | { benefitId: string, grantId: string })[]} grants */
function grantWords(grants) {
  if (grants.length === 0) return ', without grants';
  const names = grants.map((grant) => (typeof grant === 'string' ? grant : `${grant.benefitId} (${grant.grantId})`));
  const shown = names.slice(0, 20).join(', ');
  return `, with grants of ${shown}${names.length > 20 ? ` and ${names.length - 20} more` : ''}`;
}

/** @param {any} limit @param {ReadonlyMap<string, string>} textOf */
function limitWords({ benefitId, limitId, grantId, currency, period, limit, before, after }, textOf) {
  const show = (/** @type {number} */ units) =>
    currency ? `${formatAmount(units, currency)} ${currency}` : String(units);
  const name = benefitId === undefined ? limitId : (textOf.get(benefitId) ?? benefitId);
  const which = grantId === undefined ? (period === '*' ? '' : ` in ${period}`) : `, grant ${grantId}`;
  return `${name}${which}: ${show(before)} of ${show(limit)} left before, ${show(after)} after.`;
}
