import { endedBenefits, type GrantableBenefits } from '../../../../src/programme/member-check.ts';
import { benefitOfGrant, nameOfGrant, type StoredMember } from '../../../../src/store/members.ts';
import { MOST_EXAMPLES } from './examples.ts';

/** The kinds of changes that an import counts, in the order of its report. */
export const CHANGE_KINDS = {
  new: 'new',
  status: 'another status',
  tier: 'another tier',
  memberLabel: 'another label',
  granted: 'grants given',
  taken: 'grants taken',
  ended: 'given, of ended benefits',
} as const;
export type ChangeKind = keyof typeof CHANGE_KINDS;

export type ChangeCounts = Readonly<Record<ChangeKind, number>>;

export const NO_CHANGES: ChangeCounts = { new: 0, status: 0, tier: 0, memberLabel: 0, granted: 0, taken: 0, ended: 0 };

/** Counts what changes, with ten examples of each kind. */
export class ChangeTally {
  readonly #counts: Record<ChangeKind, number>;
  readonly #examples = new Map<ChangeKind, string[]>();
  readonly #grantable: GrantableBenefits;

  constructor(grantable: GrantableBenefits, start: ChangeCounts = NO_CHANGES) {
    this.#grantable = grantable;
    this.#counts = { ...start };
  }

  get counts(): ChangeCounts {
    return { ...this.#counts };
  }

  /** The examples of each kind that has any. */
  get examples(): ReadonlyMap<ChangeKind, readonly string[]> {
    return this.#examples;
  }

  /** Notes a change. Returns false when nothing changes. */
  note(before: StoredMember | undefined, after: StoredMember): boolean {
    if (!before) this.#add('new', after, after.status);
    for (const field of ['status', 'tier', 'memberLabel'] as const) {
      if (before && before[field] !== after[field]) {
        this.#add(field, after, `${before[field] ?? 'none'} → ${after[field] ?? 'none'}`);
      }
    }
    const [had, has] = [textsOf(before?.grants ?? []), textsOf(after.grants)];
    for (const [text, name] of has) if (!had.has(text)) this.#add('granted', after, name);
    const ended = endedBenefits(after.programmeId, after.grants, this.#grantable);
    for (const benefitId of ended) {
      if (!before?.grants.some((grant) => benefitOfGrant(grant) === benefitId)) this.#add('ended', after, benefitId);
    }
    const names = new Set(has.values());
    for (const [text, name] of had) if (!has.has(text) && !names.has(name)) this.#add('taken', after, name);
    return !before || JSON.stringify(before) !== JSON.stringify(after);
  }

  #add(kind: ChangeKind, { loyaltyId }: StoredMember, words: string): void {
    this.#counts[kind] += 1;
    const examples = this.#examples.get(kind) ?? [];
    this.#examples.set(kind, examples);
    if (examples.length < MOST_EXAMPLES) examples.push(`${JSON.stringify(loyaltyId)}: ${words}`);
  }
}

/** The grants of a member as texts, each with its name in words. */
function textsOf(grants: StoredMember['grants']): Map<string, string> {
  return new Map(
    grants.map((grant) => {
      const [benefitId, name] = [benefitOfGrant(grant), nameOfGrant(grant)];
      return [JSON.stringify(grant), name === benefitId ? name : `${benefitId} (${name})`];
    }),
  );
}
