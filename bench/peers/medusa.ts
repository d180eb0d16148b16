import { createRequire } from 'node:module';
import type { PromotionModule, PromotionModuleService } from '@medusajs/promotion';
import type { GroupRule, Peer, PeerCase } from './cases.ts';

// Node and vitest read the default export of this CommonJS module differently; `require` always reads it in the same
// way.
const { default: medusa }: PromotionModule = createRequire(import.meta.url)('@medusajs/promotion');

/** More units than any line has: Medusa requires a bound for a promotion that applies to each item. */
const MAX_QUANTITY = 1000;

/**
 * Calls `computeActions` of the promotion module, as Medusa's cart does. The module reads its promotions from
 * PostgreSQL each time. Here that method answers from memory, so Medusa is measured without its database, in its
 * favour.
 */
export function medusaPromotions({ rules, baskets }: PeerCase): Peer {
  const promotions = rules.map(definePromotion);
  const codes = promotions.map(({ code }) => code);
  const service = Object.create(medusa.service.prototype, {
    baseRepository_: { value: { getFreshManager: () => ({}) } },
    listActivePromotions_: { value: async () => promotions },
  }) as PromotionModuleService;
  const contexts = baskets.map(({ lines }) => ({
    currency_code: 'nok',
    items: lines.map(({ lineId, quantity, originalLinePrice, productGroupId }) => ({
      id: lineId,
      quantity,
      subtotal: originalLinePrice,
      original_total: originalLinePrice,
      is_discountable: true,
      product_group_id: productGroupId,
    })),
  }));
  return {
    name: '@medusajs/promotion',
    about: 'one percentage promotion per group with a target rule on the items; one computeActions per basket',
    price: async (at) => {
      const actions = await service.computeActions(codes, contexts[at]!, { prevent_auto_promotions: true });
      const amounts = new Map(actions.map(({ item_id, amount }) => [item_id, Number(amount)]));
      return baskets[at]!.lines.map(({ lineId }) => amounts.get(lineId) ?? 0);
    },
  };
}

function definePromotion({ productGroupId, percent }: GroupRule) {
  return {
    id: `promotion-${productGroupId}`,
    code: `code-${productGroupId}`,
    type: 'standard',
    status: 'active',
    is_automatic: false,
    is_tax_inclusive: false,
    limit: null,
    used: 0,
    campaign: null,
    rules: [],
    application_method: {
      type: 'percentage',
      target_type: 'items',
      allocation: 'each',
      value: percent,
      max_quantity: MAX_QUANTITY,
      currency_code: 'nok',
      buy_rules: [],
      target_rules: [{ attribute: 'items.product_group_id', operator: 'eq', values: [{ value: productGroupId }] }],
    },
  };
}
