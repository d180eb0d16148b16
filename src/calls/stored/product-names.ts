import type { SelectorIndex } from '../../pricing/lines/selector.ts';

/**
 * Group, barcode and master product count where a selector of the programme names products by them; a production programme
 * mostly uses groups alone. Without selectors to go by, all are kept.
 */
const OPTIONAL_NAMES = ['productGroupId', 'ean', 'productMasterId'] as const;
type OptionalName = (typeof OPTIONAL_NAMES)[number];

const EVERY_NAME: ReadonlySet<OptionalName> = new Set(OPTIONAL_NAMES);
const namesOfIndex = new WeakMap<SelectorIndex, ReadonlySet<OptionalName>>();

export function namesUsed(index: SelectorIndex | undefined): ReadonlySet<OptionalName> {
  if (!index) return EVERY_NAME;
  const known = namesOfIndex.get(index);
  if (known) return known;
  const { inclusions, exclusions, outside, weighed } = index;
  const used = new Set<string>([
    ...[inclusions, exclusions].flat().map(({ field }) => field),
    ...[outside, weighed]
      .flatMap((own) => [...(own?.included ?? []), ...(own?.excluded ?? [])])
      .map(({ field }) => field),
  ]);
  const names = new Set(OPTIONAL_NAMES.filter((name) => used.has(name)));
  namesOfIndex.set(index, names);
  return names;
}
