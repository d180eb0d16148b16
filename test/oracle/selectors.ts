/** The lines that a selector takes (packages/engine/README.md, rule 4). */
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { LineBody } from '../support/wire.ts';
import type { Line } from './types.ts';

export type Selector = NonNullable<Extract<BenefitDefinition, { kind: 'line_percent' }>['appliesTo']>;

/** A line that a selector names is taken unless it is excluded. The benefits of a programme do not see `hidden` lines. */
export function matchingLines(selector: Selector, lines: readonly Line[], hidden: ReadonlySet<Line> = NONE): Line[] {
  return lines.filter((line) => !hidden.has(line) && isNamed(selector, line.body));
}

export const NONE: ReadonlySet<Line> = new Set();

function isExcluded(selector: Selector, body: LineBody): boolean {
  const { excludeProductIds, excludeProductMasterIds, excludeProductGroupIds, excludeEans } = selector;
  if (selector.excludeDiscounted && body.existingLineDiscountAmount > 0) return true;
  return (
    (excludeProductIds ?? []).includes(body.productId) ||
    (excludeProductMasterIds ?? []).includes(body.productMasterId ?? '') ||
    (excludeProductGroupIds ?? []).includes(body.productGroupId ?? '') ||
    (excludeEans ?? []).includes(body.ean ?? '')
  );
}

function isNamed(selector: Selector, body: LineBody): boolean {
  const { productIds, productMasterIds, productGroupIds, eans } = selector;
  if (isExcluded(selector, body)) return false;
  if (!productIds && !productMasterIds && !productGroupIds && !eans) return true;
  return Boolean(
    productIds?.includes(body.productId) ||
      (body.productMasterId !== undefined && productMasterIds?.includes(body.productMasterId)) ||
      (body.productGroupId !== undefined && productGroupIds?.includes(body.productGroupId)) ||
      (body.ean !== undefined && eans?.includes(body.ean)),
  );
}
