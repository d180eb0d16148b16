import type { Json } from './admin.ts';
import { element } from './dom.ts';
import { formatMoney } from './format.ts';

/** What a past price depended on beside the basket, in a few sentences. */

export function describeCircumstances(
  { configuration, requestedAt, answeredAt, offsetSeconds, member, left }: Json,
  textOf: ReadonlyMap<string, string>,
) {
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
    ...left.map((limit: Json) => element('li', {}, limitWords(limit, textOf))),
  );
}

function offsetWords(seconds: number | undefined) {
  if (seconds === undefined) return '';
  if (seconds === 0) return ': the same second';
  return `: ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`;
}

function grantWords(grants: readonly (string | { benefitId: string; grantId: string })[]) {
  if (grants.length === 0) return ', without grants';
  const names = grants.map((grant) => (typeof grant === 'string' ? grant : `${grant.benefitId} (${grant.grantId})`));
  const shown = names.slice(0, 20).join(', ');
  return `, with grants of ${shown}${names.length > 20 ? ` and ${names.length - 20} more` : ''}`;
}

function limitWords(
  { benefitId, limitId, grantId, currency, period, limit, before, after }: Json,
  textOf: ReadonlyMap<string, string>,
) {
  const show = (units: number) => (currency ? formatMoney(units, currency) : String(units));
  const name = benefitId === undefined ? limitId : (textOf.get(benefitId) ?? benefitId);
  const which = grantId === undefined ? (period === '*' ? '' : ` in ${period}`) : `, grant ${grantId}`;
  return `${name}${which}: ${show(before)} of ${show(limit)} left before, ${show(after)} after.`;
}
