import type { BenefitDefinition } from './benefits/register.ts';
import type { ExistingDiscountScope, ExistingOrderDiscounts, Texts } from './compile/words.ts';
import type { ExistingLineDiscounts } from './lines/lines.ts';
import type { SelectorDefinition } from './lines/selector.ts';

/** A programme in the words of the configuration file (docs/benefits.md), after every check and before compilation. */

export type { BenefitDefinition, BenefitKind } from './benefits/register.ts';
export type { BenefitConditions } from './compile/words.ts';

interface GroupDefinition {
  readonly atMost: number;
  /** `priority`: only those of the highest priority are open, instead of those that save most. */
  readonly take?: 'saving' | 'priority';
}

export interface ProgrammeDefinition {
  readonly programmeId: string;
  readonly memberLabel?: Texts;
  readonly discountCode?: string;
  /** Of the benefits of a group at most so many apply in one basket. */
  readonly groups?: Readonly<Record<string, GroupDefinition>>;
  /** `together`: a line and the lines below it are one unit for every benefit at line level. */
  readonly modifiers?: 'together' | 'apart';
  /** No benefit of the programme sees these lines. */
  readonly exclude?: SelectorDefinition;
  /** These lines are never cut into units, whatever their quantity. */
  readonly weighed?: SelectorDefinition;
  readonly existingLineDiscounts?: ExistingLineDiscounts;
  readonly existingOrderDiscounts?: ExistingOrderDiscounts;
  readonly existingDiscountScope?: ExistingDiscountScope;
  /** The work of one choice of benefits, in steps (work.ts); 12,000 unless said. */
  readonly maximumSteps?: number;
  readonly benefits?: readonly BenefitDefinition[];
}
