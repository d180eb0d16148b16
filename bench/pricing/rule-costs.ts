import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { BasketResponse } from '@loyalty/contract/basket-response';
import { renderAnswer } from '@loyalty/engine/answer/render';
import { compileProgramme } from '@loyalty/engine/compile/compile';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { type Decision, decideBasket, limitedUses, type Member, priceBasket, type Venue } from '@loyalty/engine/price';
import { showSpread } from '../report/spread.ts';
import type { Table } from '../report/table.ts';
import { type Contender, figuresOf, measureInTurns, ratios, type Turns } from './measure.ts';
import { createEntries, MEMBER, venueOf } from './programmes.ts';
import { RULE_CASES, RULE_LINES, type RuleCase, ruleBaskets, type Surroundings } from './rules.ts';

/** Measures what single rules cost. */

/** One percentage for each product group of the shop. */
const GROUPED = 60;
const CARD = { grantId: 'card', quantity: 2 } as const;
const BASE = 'a percentage on each product group alone';

interface PreparedBasket {
  readonly basket: BasketRequest;
  readonly member: Member;
  readonly venue: Venue;
  readonly available: ReadonlyMap<string, number>;
}

/** What prices the baskets one after the other, with the rule or without it. */
export function prepareRule(surroundings: Surroundings): PreparedBasket[] {
  const grants = surroundings.hasCards
    ? surroundings.benefits.map(({ benefitId }) => ({ ...CARD, benefitId, grantId: `card-${benefitId}` }))
    : [];
  const member: Member = { ...MEMBER, grants };
  return ruleBaskets().map((basket) => {
    const venue = venueWith(surroundings, basket);
    const uses = limitedUses(venue, basket.requestedAt, member);
    return { basket, member, venue, available: new Map(uses.map(({ usageKey, limit }) => [usageKey, limit])) };
  });
}

export function priceRule(prepared: readonly PreparedBasket[], turn: number): Decision {
  return priceBasket(prepared[turn % prepared.length] as PreparedBasket);
}

/** What a call does with a basket that it has read. */
function answerRule(prepared: readonly PreparedBasket[], turn: number): BasketResponse {
  const own = prepared[turn % prepared.length] as PreparedBasket;
  return renderAnswer(own.basket, decideBasket(own).content);
}

function venueWith({ benefits, programme, asksMoreThanNet }: Surroundings, basket: BasketRequest): Venue {
  const plain = venueOf(createEntries('percent by group', GROUPED));
  const percentages = createEntries('percent by group', GROUPED).map(({ definition }) => definition);
  const asking = asksMoreThanNet === undefined ? benefits : askFor(netOf(basket, plain) + asksMoreThanNet, benefits);
  const definition = { programmeId: MEMBER.programmeId, benefits: [...percentages, ...asking], ...programme };
  return { ...plain, programme: compileProgramme(definition) };
}

function askFor(minimumSpend: number, benefits: readonly BenefitDefinition[]): BenefitDefinition[] {
  return benefits.map((benefit) => ({ ...benefit, minimumSpend }));
}

/** What the basket costs after the benefits of its lines. */
function netOf(basket: BasketRequest, venue: Venue): number {
  const decision = priceBasket({ basket, member: MEMBER, venue, available: new Map() });
  return decision.status === 'applied' ? decision.totals.total : basket.totals.total;
}

export async function measureRules(
  turns: Turns,
): Promise<{ table: Table; figures: Record<string, readonly number[]> }> {
  const contenders = [contender(BASE, { benefits: [] })];
  for (const { rule, ...own } of RULE_CASES) {
    contenders.push(contender(withoutName(rule), own.without), contender(rule, own.with));
  }
  const figures = await measureInTurns(contenders, turns);
  const rows = RULE_CASES.map(({ rule, about }: RuleCase) => {
    const [without, costs] = [figuresOf(figures, withoutName(rule)), figuresOf(figures, rule)];
    return [rule, showSpread(without), showSpread(costs), showSpread(ratios(costs, without)), about];
  });
  const table = {
    title: `${RULE_LINES} lines, ${GROUPED} percentages and one rule: CPU-µs per basket, worst round (best … worst)`,
    head: ['', 'without it', 'with it', 'times', ''],
    rows: [[BASE, showSpread(figuresOf(figures, BASE)), '', '', ''], ...rows],
  };
  return { table, figures: Object.fromEntries(figures) };
}

function withoutName(rule: string): string {
  return `${rule}, without it`;
}

function contender(name: string, surroundings: Surroundings): Contender {
  const prepared = prepareRule(surroundings);
  return { name, run: (turn) => answerRule(prepared, turn) };
}
