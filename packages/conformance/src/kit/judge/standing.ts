import { type Exchange, fieldOf, isRecord, isSuccess } from '../exchange.ts';
import { type AppliedRule, appliedOf } from './applied.ts';
import { errorFaults, leakFaults, mismatchFaults } from './errors.ts';
import { basketAnswerFaults, saleAnswerFaults } from './fields.ts';
import * as headers from './headers.ts';
import * as lines from './lines.ts';
import { orderFaults } from './order.ts';
import { dearerFaults, protectionFaults } from './protection.ts';
import * as sums from './sums.ts';

/** A rule that every answer of the run is held against. */
export interface StandingRule {
  readonly name: string;
  readonly section: string;
  readonly title: string;
  /** Undefined when the rule is not about this answer. */
  readonly faultsOf: (exchange: Exchange) => string[] | undefined;
}

function onSuccess(endpoint: Exchange['endpoint'], faultsOf: (body: unknown) => string[]): StandingRule['faultsOf'] {
  return (exchange) => (isSuccess(exchange) && exchange.endpoint === endpoint ? faultsOf(exchange.body) : undefined);
}

/** Names that would tell of VAT, which the service never returns (interface, section 1). */
const TAX_NAME = /^(?:vat|tax|mva|moms)|(?:Vat|Tax)(?:[A-Z]|$)/;

function taxFaults(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) => [
    ...(TAX_NAME.test(name) ? [`${path}/${name}: the service never returns VAT`] : []),
    ...taxFaults(entry, `${path}/${name}`),
  ]);
}

function calculationIdFaults(exchange: Exchange): string[] | undefined {
  const sent = isRecord(exchange.request) ? exchange.request['calculationId'] : undefined;
  const isDue = exchange.endpoint === 'basket' && isSuccess(exchange) && typeof sent === 'string';
  if (!isDue) return undefined;
  return fieldOf(exchange, 'calculationId') === sent ? [] : ['/calculationId: is not the one that was sent'];
}

type Rules<FaultsOf> = Readonly<
  Record<string, Omit<StandingRule, 'name' | 'faultsOf'> & { readonly faultsOf: FaultsOf }>
>;

/** The rules about `applied` answers whose fields are right; `answers.fields` reports wrong ones. */
const appliedRules: Rules<AppliedRule> = {
  'answers.line-identities': {
    section: '2',
    title: 'originalLinePrice and orderLinePrice of every answered line add up',
    faultsOf: sums.lineIdentityFaults,
  },
  'answers.line-discounts': {
    section: '2',
    title: 'Type, percentage, amount (rounded half up) and code of every line discount belong together',
    faultsOf: sums.lineDiscountFaults,
  },
  'answers.totals': {
    section: '2',
    title: 'The five totals are the sums they stand for',
    faultsOf: sums.totalsFaults,
  },
  'answers.allocations': {
    section: '2, 4.6',
    title: 'The allocations of every order discount add up to its amount',
    faultsOf: sums.allocationFaults,
  },
  'answers.echo': {
    section: '2, 4.6',
    title: 'Identity and quantity fields of kept lines come back verbatim; split lines add up',
    faultsOf: lines.echoFaults,
  },
  'answers.protected-lines': {
    section: '2',
    title: 'No loyalty effect on noDiscount lines, no percentage on noPercentageDiscount lines',
    faultsOf: protectionFaults,
  },
  'answers.not-dearer': {
    section: '2',
    title: 'The staff’s discounts make way for larger ones only: no basket becomes dearer',
    faultsOf: dearerFaults,
  },
  'answers.applied-changes': {
    section: '2',
    title: 'An applied answer changes the basket',
    faultsOf: lines.changeFaults,
  },
  'answers.order': {
    section: '4.6',
    title: 'Lines and order discounts stand in the order of the request, added ones last',
    faultsOf: orderFaults,
  },
};
export const APPLIED_RULES: readonly AppliedRule[] = Object.values(appliedRules).map(({ faultsOf }) => faultsOf);

function onApplied(faultsOf: AppliedRule): StandingRule['faultsOf'] {
  return (exchange) => {
    const applied = appliedOf(exchange);
    return applied && faultsOf(applied);
  };
}

/** In the order of the interface. */
const rules: Rules<StandingRule['faultsOf']> = {
  'answers.fields': {
    section: '2',
    title: 'Every basket answer has the fields, types and lengths of its status, and no others that it must not have',
    faultsOf: onSuccess('basket', basketAnswerFaults),
  },
  'answers.calculation-id': {
    section: '2',
    title: 'Every basket answer names the calculation it answers',
    faultsOf: calculationIdFaults,
  },
  'answers.no-vat': {
    section: '1',
    title: 'No answer speaks of VAT',
    faultsOf: (exchange) => taxFaults(exchange.body),
  },
  ...Object.fromEntries(
    Object.entries(appliedRules).map(([name, rule]) => [name, { ...rule, faultsOf: onApplied(rule.faultsOf) }]),
  ),
  'answers.sale-fields': {
    section: '2',
    title: 'Every answer to a sale event carries one of the three results',
    faultsOf: onSuccess('sale', saleAnswerFaults),
  },
  'headers.request-id': {
    section: '4',
    title: 'Every response carries X-Request-Id, the one of the request when there was one',
    faultsOf: headers.requestIdFaults,
  },
  'headers.server-timing': {
    section: '4',
    title: 'Every response carries Server-Timing: app;dur=<ms>, and it can be true',
    faultsOf: headers.serverTimingFaults,
  },
  'headers.content-type': {
    section: '4',
    title: 'Every response is JSON in UTF-8 and says so',
    faultsOf: headers.contentTypeFaults,
  },
  'headers.retry-after': {
    section: '4',
    title: 'Retry-After stands on 429 and 503, in whole seconds, and nowhere else',
    faultsOf: headers.retryAfterFaults,
  },
  'headers.replayed': {
    section: '4',
    title: 'Idempotent-Replayed is true or absent',
    faultsOf: headers.replayedFaults,
  },
  'errors.body': {
    section: '2, 7',
    title: 'Every error has the Error body, a code of the interface under its status, and the request ID',
    faultsOf: errorFaults,
  },
  'errors.details': {
    section: '4.1',
    title: 'arithmetic_mismatch names field, expected and received',
    faultsOf: mismatchFaults,
  },
  'errors.discretion': {
    section: '1, 7',
    title: 'No error repeats the loyalty ID or tells what the service is made of',
    faultsOf: leakFaults,
  },
};
export const STANDING_RULES: readonly StandingRule[] = Object.entries(rules).map(([name, rule]) => ({ name, ...rule }));

/** Rules about a deployment that is reached over TLS. */
export const TLS_RULES: readonly StandingRule[] = [
  {
    name: 'headers.strict-transport',
    section: '5',
    title: 'Over TLS every response carries Strict-Transport-Security',
    faultsOf: headers.strictTransportFaults,
  },
];
