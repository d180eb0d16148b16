import type { BenefitDefinition } from '../definition.ts';
import type { LineFacts } from '../lines.ts';
import type { BenefitKind, Level, LineRule, OrderRule, Rule } from '../programme.ts';
import type { SelectorDefinition } from '../selector.ts';

/** What a kind of benefit has to say. A kind is one file and one line of the register; it never mutates what it is given. */

type DefinitionOf<Name extends BenefitKind> = Extract<BenefitDefinition, { kind: Name }>;
type RuleOf<Name extends BenefitKind> = Extract<Rule, { kind: Name }>;

export interface Kind<Name extends BenefitKind = BenefitKind> {
  readonly level: Level;
  readonly isPercentage: boolean;
  readonly namesMoney: boolean;
  /** Compiles the words of the configuration. */
  compile(definition: DefinitionOf<Name>): RuleOf<Name>;
  /** The selectors of the definition, in the order in which the rule counts them. */
  selectors(definition: DefinitionOf<Name>): readonly (SelectorDefinition | undefined)[];
}

/** How an effect on a line that was not cut shows in the answer. */
export interface Expression {
  readonly percentHundredths?: number;
  readonly overrideUnitPrice?: number;
}

/** A kind that works on single lines. */
export interface LineKind<Name extends LineRule['kind'] = LineRule['kind']> extends Kind<Name> {
  readonly level: 'line';
  /** False when the effect is all or nothing: a new unit price cannot be cut. */
  readonly canBeCut: boolean;
  /** What `units` units of the line are to become cheaper by, from 0 to their price, in minor units. */
  effect(rule: RuleOf<Name>, line: LineFacts, units: number): number;
  express(rule: RuleOf<Name>): Expression;
}

/** A kind that works on the order as a whole. */
export interface OrderKind<Name extends OrderRule['kind'] = OrderRule['kind']> extends Kind<Name> {
  readonly level: 'order';
  /** The discount on lines that still cost `rest`, from 0 to `rest`, in minor units. */
  amount(rule: RuleOf<Name>, rest: number): number;
  express(rule: RuleOf<Name>): { readonly percentHundredths?: number };
}
