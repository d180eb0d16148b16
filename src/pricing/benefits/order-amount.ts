import type { OrderKind } from './kind.ts';

/** `order_amount`: an amount off the order, never more than the eligible lines still cost together. */
export const orderAmount: OrderKind<'order_amount'> = {
  level: 'order',
  isPercentage: false,
  namesMoney: true,
  compile: ({ kind, amount }) => ({ kind, amount }),
  selectors: ({ appliesTo }) => [appliesTo],
  amount: ({ amount }, rest) => Math.min(amount, rest),
  express: () => ({}),
};
