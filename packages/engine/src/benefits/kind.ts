import type { TSchema } from '@loyalty/contract/schema-type';
import type { Fields } from '../compile/fields.ts';
import type { Level, Rule } from '../compile/rule.ts';
import type { AppliesTo, BenefitConditions, InCurrency, PicksUnits } from '../compile/words.ts';
import type { SelectorDefinition } from '../lines/selector.ts';

/**
 * A kind of benefit: what its words in the configuration mean. It is one file and one line of the register; everything
 * that pricing does with it follows from the rule it compiles.
 */
export interface Kind<Definition extends BenefitConditions> {
  /** The family of its rule, whose fields it has too (compile/condition-fields.ts). */
  readonly level: Level;
  /** The schemas of its own fields. */
  readonly fields: Fields & { readonly [Field in OwnField<Definition>]: TSchema };
  /** The kind takes a price from the venue's list, which is in the venue's first currency. */
  readonly usesPriceList?: boolean;
  /** The benefit sees the lines of the basket, also where a line and those below it are one unit for others. */
  readonly seesLines?: boolean;
  /** Compiles the words of the configuration. */
  compile(definition: InCurrency<Definition>): Rule;
  /** The selectors of the definition, in the order in which the rule counts them. */
  selections(definition: Definition): readonly PlacedSelector[];
  /** The product that the benefit adds to a basket, if it adds any. */
  addedProductId?(definition: Definition): string;
  /** The lines that have what the benefit adds, where it gives units of them first. */
  rungUp?(definition: Definition): SelectorDefinition | undefined;
}

type OwnField<Definition> = Exclude<
  keyof Definition,
  'kind' | keyof BenefitConditions | keyof AppliesTo | keyof PicksUnits
>;

export interface PlacedSelector {
  readonly selector: SelectorDefinition;
  /** The field of the definition that holds the selector, such as `items[0].appliesTo`. */
  readonly place: string;
  /** A percentage comes off these lines, so those with `noPercentageDiscount` do not count. */
  readonly isPercentage: boolean;
}

/** The selection of a kind whose only selector is `appliesTo`. */
export function selectLines({ appliesTo = {} }: AppliesTo, isPercentage: boolean): readonly PlacedSelector[] {
  return [{ selector: appliesTo, place: 'appliesTo', isPercentage }];
}
