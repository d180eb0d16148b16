/**
 * Types for the used parts of the peers, which the first comparison installs; the type check must work without them.
 */

declare module '@gorules/zen-engine' {
  export interface ZenDecision {
    evaluate(context: unknown): Promise<{ readonly result: unknown }>;
  }
  export class ZenEngine {
    createDecision(content: object): ZenDecision;
  }
}

declare module 'json-rules-engine' {
  export interface Event {
    readonly type: string;
    readonly params?: Readonly<Record<string, unknown>>;
  }
  export interface RuleProperties {
    readonly conditions: {
      readonly all: readonly { readonly fact: string; readonly operator: string; readonly value: unknown }[];
    };
    readonly event: Event;
  }
  export class Engine {
    addRule(rule: RuleProperties): this;
    run(facts: Readonly<Record<string, unknown>>): Promise<{ readonly events: readonly Event[] }>;
  }
}

declare module '@medusajs/promotion' {
  /** An amount of Medusa; `valueOf` is the number. */
  export interface Action {
    readonly action: string;
    readonly item_id: string;
    readonly amount: { valueOf(): number };
  }
  export interface PromotionModuleService {
    computeActions(
      promotionCodes: readonly string[],
      context: { readonly currency_code: string; readonly items: readonly object[] },
      options: { readonly prevent_auto_promotions: boolean },
    ): Promise<Action[]>;
  }
  export interface PromotionModule {
    readonly default: { readonly service: { readonly prototype: PromotionModuleService } };
  }
}
