import { isMap, isScalar, isSeq, parseDocument, type Scalar } from 'yaml';

/** A number behind it keeps several of them apart, so that the file can be put in force again. */
const ERASED = 'erased-';

/**
 * The text of a configuration file without one member's loyalty ID: `erased-` and a number stand in its place, wherever the ID stands for
 * a member. Everything else stays as it was written.
 */
export function withoutMember(text: string, loyaltyId: string): string {
  const { contents } = parseDocument(text);
  if (!isMap(contents)) return text;
  const [members, testMembers] = [contents.get('members', true), contents.get('testMembers', true)];
  const names = [
    ...(isSeq(members) ? members.items.map((item) => (isMap(item) ? item.get('loyaltyId', true) : undefined)) : []),
    ...(isSeq(testMembers) ? testMembers.items : []),
  ];
  const places = names
    .filter((node): node is Scalar => isScalar(node) && String(node.value) === loyaltyId)
    .flatMap(({ range }) => (range ? [[range[0], range[1]] as const] : []));
  // From the end, so that the places before it stay where they are.
  return places
    .toSorted(([one], [other]) => other - one)
    .reduce((left, [start, end]) => `${left.slice(0, start)}${ERASED}${start}${left.slice(end)}`, text);
}
