import type { ErrorCode, Refusal } from './errors.ts';

/**
 * The headings of docs/errors.md: one per code, and below some codes one per family of `details.field`. The anchors are
 * those that a Markdown renderer makes of the headings `code` and `code: family`.
 */

/** Families of `details.field`, in the order of the page. */
export const ERROR_FAMILIES = {
  invalid_request: ['headers', 'json', 'fields', 'context', 'lines', 'order discounts', 'totals'],
  arithmetic_mismatch: ['lines', 'order discounts', 'totals'],
} as const satisfies Partial<Record<ErrorCode, readonly Family[]>>;

export type Family = 'headers' | 'json' | 'fields' | 'context' | 'lines' | 'order discounts' | 'totals';

/** The family of a field below the body's root; every other field of the root is in `fields`. */
const FAMILY_OF_SEGMENT: Readonly<Record<string, Family>> = {
  context: 'context',
  lines: 'lines',
  orderDiscounts: 'order discounts',
  totals: 'totals',
};

/** The anchor of a refusal on the page: that of its field's family where the code has families, else the code's. */
export function errorAnchor({ code, details }: Pick<Refusal, 'code' | 'details'>): string {
  const families: readonly Family[] = code in ERROR_FAMILIES ? ERROR_FAMILIES[code as keyof typeof ERROR_FAMILIES] : [];
  const family = familyOf(details?.field);
  return family !== undefined && families.includes(family) ? anchorOf(code, family) : code;
}

/** The anchor of a heading. */
export function anchorOf(code: ErrorCode, family?: Family): string {
  return family === undefined ? code : `${code}-${family.replace(' ', '-')}`;
}

function familyOf(field: string | undefined): Family | undefined {
  if (field === undefined) return undefined;
  if (field === '') return 'json';
  if (!field.startsWith('/')) return 'headers';
  const [, segment = ''] = field.split('/', 2);
  return Object.hasOwn(FAMILY_OF_SEGMENT, segment) ? FAMILY_OF_SEGMENT[segment] : 'fields';
}
