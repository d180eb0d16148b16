import type { Programme } from '../../src/compile/programme.ts';
import { type BasketToPrice, priceBasket } from '../../src/price.ts';

/** The input with a programme that counts every look at a benefit or its rule. */
function countLooks(input: BasketToPrice): { readonly input: BasketToPrice; readonly looks: () => number } {
  let looks = 0;
  const watch = <Value extends object>(value: Value): Value =>
    new Proxy(value, {
      get(target, name) {
        looks += 1;
        return target[name as keyof Value];
      },
    });
  const watchAll = (programme: Programme): Programme => {
    const benefits = programme.benefits.map((benefit) => watch({ ...benefit, rule: watch(benefit.rule) }));
    return { ...programme, benefits, limited: benefits.filter(({ limits }) => limits.length > 0) };
  };
  const { programme } = input.venue;
  const inCurrency = new Map([...programme.inCurrency].map(([currency, own]) => [currency, watchAll(own)]));
  const watched = { ...watchAll(programme), inCurrency };
  return { input: { ...input, venue: { ...input.venue, programme: watched } }, looks: () => looks };
}

/** How often pricing looks at a benefit or its rule. */
export function looksOf(input: BasketToPrice): number {
  const counted = countLooks(input);
  priceBasket(counted.input);
  return counted.looks();
}
