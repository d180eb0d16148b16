/** How loyalty discounts stand to the discounts that the staff gave (config/recipes.md, Staff discounts). */

export type ExistingLineDiscounts = 'replace_if_larger' | 'keep' | 'stack';
export type ExistingOrderDiscounts = 'keep' | 'replace_if_larger';
/** `basket`: the guest has all that the staff gave, or the benefits. */
export type ExistingDiscountScope = 'line' | 'basket';
