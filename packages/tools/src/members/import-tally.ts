import { hash } from 'node:crypto';
import type { Environment } from '../../../../src/programme/environment.ts';
import { knownTiers } from '../../../../src/programme/known-tiers.ts';
import { endedBenefits, type GrantableBenefits } from '../../../../src/programme/member-check.ts';
import { nearestName } from '../../../../src/programme/nearest-name.ts';
import { benefitOfGrant, nameOfGrant, type StoredMember } from '../../../../src/store/members.ts';
import { formatCount } from '../terminal/money.ts';
import { renderTable } from '../terminal/table.ts';
import { MOST_SHOWN, renderExamples } from './examples.ts';
import type { MemberPatch } from './patch.ts';
import type { Reject } from './rejects.ts';

/** The kinds of changes that an import counts, in the order of its report. */
const CHANGE_KINDS = {
  new: 'new',
  status: 'another status',
  tier: 'another tier',
  memberLabel: 'another label',
  granted: 'grants given',
  taken: 'grants taken',
  ended: 'given, of ended benefits',
} as const;
type ChangeKind = keyof typeof CHANGE_KINDS;

/** The counts of an import. */
export interface ImportCounts {
  read: number;
  written: number;
  /** Written members that were stored equally already. */
  unchanged: number;
  rejected: number;
  /** What changed of the written members. */
  readonly changes: Record<ChangeKind, number>;
}

export const NOTHING_DONE: Readonly<ImportCounts> = {
  read: 0,
  written: 0,
  unchanged: 0,
  rejected: 0,
  changes: { new: 0, status: 0, tier: 0, memberLabel: 0, granted: 0, taken: 0, ended: 0 },
};

const REJECTED = 'rejected';
const REPEATED = 'imported, but one ID in several rows: the last row counts; make it one row';

/**
 * What an import has done and what of it is probably not intended, with ten examples of each sort, by which a mistaken
 * column is recognised.
 */
export class ImportTally {
  readonly counts: ImportCounts;
  readonly #readBefore: number;
  readonly #grantable: GrantableBenefits;
  /** The tiers that benefits and members of the configuration name, by programme. */
  readonly #tiers: ReturnType<typeof knownTiers>;
  /** The first lines of each sort, by the title above them. */
  readonly #examples = new Map<string, string[]>();
  /** The first line of each ID, by 48 bits of its hash: a million IDs take 40 MB, and two of them share a number once in 500 lists. */
  readonly #lines = new Map<number, number>();
  #repetitions = 0;
  readonly #unknownTiers = new Map<string, { programmeId: string; tier: string; count: number; line: number }>();

  /** `before` are the counts of an interrupted run that this one goes on from. */
  constructor(environment: Environment, grantable: GrantableBenefits, before: Readonly<ImportCounts>) {
    this.counts = structuredClone(before);
    this.#readBefore = before.read;
    this.#grantable = grantable;
    this.#tiers = knownTiers(environment);
  }

  reject({ line, lastLine, field, reason }: Reject): void {
    this.counts.read += 1;
    this.counts.rejected += 1;
    const place = lastLine === undefined ? `line ${line}` : `lines ${line} to ${lastLine}`;
    this.#addExample(REJECTED, `${place}${field === '' ? '' : `, ${field}`}: ${reason}`);
  }

  /** Counts a row that was written. `change` is undefined where nobody could look at what is stored. */
  write(line: number, patch: MemberPatch, change?: { before: StoredMember | undefined; after: StoredMember }): void {
    this.counts.read += 1;
    this.counts.written += 1;
    this.#noteRepeated(line, patch);
    this.#noteTier(line, patch, change?.before);
    if (!change) return;
    this.#noteChanges(change.before, change.after);
    if (JSON.stringify(change.before) === JSON.stringify(change.after)) this.counts.unchanged += 1;
  }

  #addExample(title: string, line: string): void {
    const lines = this.#examples.get(title) ?? [];
    if (lines.length < MOST_SHOWN) lines.push(line);
    this.#examples.set(title, lines);
  }

  #noteRepeated(line: number, { programmeId, loyaltyId }: MemberPatch): void {
    const name = Buffer.from(`${programmeId}\u0000${loyaltyId}`, 'utf16le');
    const short = Number.parseInt(hash('sha256', name, 'hex').slice(0, 12), 16);
    const first = this.#lines.get(short);
    if (first === undefined) {
      this.#lines.set(short, line);
      return;
    }
    this.#repetitions += 1;
    this.#addExample(REPEATED, `line ${line}, loyaltyId: ${JSON.stringify(loyaltyId)}, which is also in line ${first}`);
  }

  #noteTier(line: number, { programmeId, tier }: MemberPatch, before: StoredMember | undefined): void {
    const known = this.#tiers.get(programmeId);
    if (!tier || tier === before?.tier || !known?.size || known.has(tier)) return;
    const name = `${programmeId}\u0000${tier}`;
    const noted = this.#unknownTiers.get(name);
    if (noted) noted.count += 1;
    else if (this.#unknownTiers.size < MOST_SHOWN) this.#unknownTiers.set(name, { programmeId, tier, count: 1, line });
  }

  #noteChanges(before: StoredMember | undefined, after: StoredMember): void {
    const add = (kind: ChangeKind, words: string) => {
      this.counts.changes[kind] += 1;
      this.#addExample(CHANGE_KINDS[kind], `${JSON.stringify(after.loyaltyId)}: ${words}`);
    };
    if (!before) add('new', after.status);
    for (const field of ['status', 'tier', 'memberLabel'] as const) {
      if (before && before[field] !== after[field])
        add(field, `${before[field] ?? 'none'} → ${after[field] ?? 'none'}`);
    }
    const [had, has] = [textsOf(before?.grants ?? []), textsOf(after.grants)];
    for (const [text, name] of has) if (!had.has(text)) add('granted', name);
    for (const benefitId of endedBenefits(after.programmeId, after.grants, this.#grantable)) {
      if (!before?.grants.some((grant) => benefitOfGrant(grant) === benefitId)) add('ended', benefitId);
    }
    const names = new Set(has.values());
    for (const [text, name] of had) if (!has.has(text) && !names.has(name)) add('taken', name);
  }

  /** Renders the whole report; without a store nobody knows what changes. */
  render({ seconds, isDryRun, hasStore }: { seconds: number; isDryRun: boolean; hasStore: boolean }): string {
    const { read, written, unchanged, rejected, changes } = this.counts;
    const kinds = Object.entries(CHANGE_KINDS) as [ChangeKind, string][];
    const before = this.#readBefore;
    const counts = [
      ...(before > 0 ? [['done by an earlier run', formatCount(before)]] : []),
      ['read', formatCount(read)],
      [isDryRun ? 'would be written' : 'written', formatCount(written)],
      ['of these unchanged', formatCount(unchanged)],
      ['rejected', formatCount(rejected)],
      ...kinds.map(([kind, title]) => [title, formatCount(changes[kind])]),
      ['seconds', seconds.toFixed(1)],
      ['rows a second', formatCount((read - before) / Math.max(seconds, 0.001))],
    ];
    const examples = (title: string, count: number) => renderExamples(title, this.#examples.get(title) ?? [], count);
    const changed = kinds.map(([kind, title]) => examples(title, changes[kind])).join('');
    return [
      renderTable(['members', 'count'], counts),
      hasStore ? changed : '\nRedis cannot be reached, so that nobody knows what would change.\n',
      this.#renderUnknownTiers(),
      examples(REPEATED, this.#repetitions),
      examples(REJECTED, rejected),
    ].join('');
  }

  #renderUnknownTiers(): string {
    const tiers = [...this.#unknownTiers.values()].map(({ programmeId, tier, count, line }) => {
      const known = [...(this.#tiers.get(programmeId) ?? [])];
      const nearest = nearestName(tier, known);
      const meant = nearest === undefined ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`;
      const more = count > 1 ? ` (${count} rows)` : '';
      return `line ${line}${more}, tier: found ${JSON.stringify(tier)}, which no benefit names; ${meant}`;
    });
    return renderExamples('imported, but probably not intended: unknown tiers', tiers);
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
