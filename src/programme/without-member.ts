import { type Document, isAlias, isMap, isScalar, isSeq, parseDocument, type Scalar, type YAMLMap } from 'yaml';

/** A number behind it keeps several of them apart, so that the file can be put in force again. */
const ERASED = 'erased-';
const MERGE_KEY = '<<';

/**
 * The text of a configuration file without one member's loyalty ID: `erased-` and a number stand in its place, wherever the ID stands for
 * a member, also by an alias or a merge key. Everything else stays as it was written.
 */
export function withoutMember(text: string, loyaltyId: string): string {
  const document = parseDocument(text);
  const names = [
    ...itemsOf(document, 'members').map((item) => entryOf(document, item, 'loyaltyId')),
    ...itemsOf(document, 'testMembers').map((item) => resolved(document, item)),
  ];
  const written = names.filter((node): node is Scalar => isScalar(node) && String(node.value) === loyaltyId);
  const places = [...new Set(written)].flatMap(({ range }) => (range ? [[range[0], range[1]] as const] : []));
  // From the end, so that the places before it stay where they are.
  return places
    .toSorted(([one], [other]) => other - one)
    .reduce((left, [start, end]) => `${left.slice(0, start)}${ERASED}${start}${left.slice(end)}`, text);
}

function itemsOf(document: Document, key: string): readonly unknown[] {
  const list = entryOf(document, document.contents, key);
  return isSeq(list) ? list.items : [];
}

/** The node that an alias stands for. */
function resolved(document: Document, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

/** The value of a key, or what a merge key brings. */
function entryOf(document: Document, node: unknown, key: string): unknown {
  const map = resolved(document, node);
  if (!isMap(map)) return undefined;
  const own = resolved(document, map.get(key, true));
  if (own !== undefined) return own;
  for (const merged of mergedInto(document, map)) {
    const value = entryOf(document, merged, key);
    if (value !== undefined) return value;
  }
  return undefined;
}

function mergedInto(document: Document, map: YAMLMap): readonly unknown[] {
  const merged = resolved(document, map.get(MERGE_KEY, true));
  return isSeq(merged) ? merged.items : [merged];
}
