import type { BenefitKind, LineRule, OrderRule } from '../programme.ts';
import { bundlePrice } from './bundle-price.ts';
import { buyXGetY } from './buy-x-get-y.ts';
import { freeProduct } from './free-product.ts';
import type { Kind, LineKind, OrderKind } from './kind.ts';
import { lineAmount } from './line-amount.ts';
import { linePercent } from './line-percent.ts';
import { orderAmount } from './order-amount.ts';
import { orderPercent } from './order-percent.ts';
import { unitPrice } from './unit-price.ts';

/** The register of kinds. TypeScript checks each entry against its own kind; a lookup by a rule forgets which it was. */

const LINE_KINDS: { readonly [Name in LineRule['kind']]: LineKind<Name> } = {
  line_percent: linePercent,
  line_amount: lineAmount,
  unit_price: unitPrice,
};

const ORDER_KINDS: { readonly [Name in OrderRule['kind']]: OrderKind<Name> } = {
  order_percent: orderPercent,
  order_amount: orderAmount,
};

const KINDS: { readonly [Name in BenefitKind]: Kind<Name> } = {
  ...LINE_KINDS,
  ...ORDER_KINDS,
  buy_x_get_y: buyXGetY,
  bundle_price: bundlePrice,
  free_product: freeProduct,
};

export function kindOf(name: BenefitKind): Kind {
  return KINDS[name] as Kind;
}

export function lineKindOf(rule: LineRule): LineKind {
  return LINE_KINDS[rule.kind] as LineKind;
}

export function orderKindOf(rule: OrderRule): OrderKind {
  return ORDER_KINDS[rule.kind] as OrderKind;
}
