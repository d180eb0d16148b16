import { parseYamlFile } from './yaml-file.ts';

/** A number behind it keeps several of them apart, so that the file can be put in force again. */
const ERASED = 'erased-';

/**
 * The text of a configuration file without one member's loyalty ID: `erased-` and a number stand in its place, wherever the ID stands for
 * a member, also by an alias or a merge key. Everything else stays as it was written.
 */
export function withoutMember(text: string, loyaltyId: string): string {
  const file = parseYamlFile({ name: '', text });
  const { members, testMembers } = (file.value ?? {}) as Readonly<Record<string, unknown>>;
  const names = [
    ...listOf(members).map((member, at) => [`members[${at}].loyaltyId`, loyaltyIdOf(member)] as const),
    ...listOf(testMembers).map((name, at) => [`testMembers[${at}]`, name] as const),
  ];
  const isMember = (name: unknown) => typeof name !== 'object' && String(name) === loyaltyId;
  // One place may stand for several members, by an alias.
  const places = new Map(names.flatMap(([path, name]) => (isMember(name) ? [file.rangeOf(path)] : [])));
  // From the end, so that the places before it stay where they are.
  return [...places]
    .toSorted(([one], [other]) => other - one)
    .reduce((left, [start, end]) => `${left.slice(0, start)}${ERASED}${start}${left.slice(end)}`, text);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function loyaltyIdOf(member: unknown): unknown {
  return (member as { readonly loyaltyId?: unknown } | null)?.loyaltyId;
}
