import type { PastCircumstances } from '../../../../../src/administration/past-circumstances.ts';
import type { Counter } from '../../admin/sale-schemas.ts';
import { distanceOf } from './explanation-wording.ts';
import { formatMoney, formatTime } from './format.ts';

type Left = Counter & Omit<PastCircumstances['left'][number], 'usageKey'>;
type ToldCircumstances = Omit<PastCircumstances, 'left'> & { readonly left: readonly Left[] };

/** What a past price depended on beside the basket, in a few sentences, with times in the venue's zone. */
export function sentencesOf(
  { configuration, requestedAt, answeredAt, offsetSeconds, timeZone, member, left }: ToldCircumstances,
  textOf: ReadonlyMap<string, string>,
): string[] {
  const clocks = [
    `The till's clock was ${formatTime(requestedAt, timeZone)}`,
    answeredAt ? `, ours ${formatTime(answeredAt, timeZone)}` : '',
    offsetWords(offsetSeconds),
  ];
  const who = member
    ? `The member was ${member.status}, ${member.tier === undefined ? 'without a tier' : `of the tier ${member.tier}`}${grantWords(member.grants)}.`
    : 'The programme does not have this member.';
  return [
    `${clocks.join('')}.`,
    who,
    `The configuration ${configuration} priced it.`,
    ...left.map((limit) => limitWords(limit, textOf)),
  ];
}

function offsetWords(seconds: number | undefined) {
  if (seconds === undefined) return '';
  return seconds === 0 ? ': the same second' : `: ${distanceOf(seconds, 'ahead', 'behind')}`;
}

function grantWords(grants: readonly (string | { readonly benefitId: string; readonly grantId: string })[]) {
  if (grants.length === 0) return ', without grants';
  const names = grants.map((grant) => (typeof grant === 'string' ? grant : `${grant.benefitId} (${grant.grantId})`));
  const shown = names.slice(0, 20).join(', ');
  return `, with grants of ${shown}${names.length > 20 ? ` and ${names.length - 20} more` : ''}`;
}

function limitWords(
  { benefitId, limitId, grantId, currency, period, limit, before, after }: Left,
  textOf: ReadonlyMap<string, string>,
) {
  const show = (units: number) => (currency ? formatMoney(units, currency) : String(units));
  const name = benefitId === undefined ? limitId : (textOf.get(benefitId) ?? benefitId);
  const which = grantId === undefined ? (period === '*' ? '' : ` in ${period}`) : `, grant ${grantId}`;
  return `${name}${which}: ${show(before)} of ${show(limit)} left before, ${show(after)} after.`;
}
