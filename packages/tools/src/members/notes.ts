import { hash } from 'node:crypto';
import { nearestName } from '../../../../src/programme/nearest-name.ts';
import type { StoredMember } from '../../../../src/store/members.ts';
import { MOST_EXAMPLES, renderExamples } from './examples.ts';
import type { MemberPatch } from './patch.ts';

/** Rows that were taken and are probably not meant as they are: an ID in several rows, a tier that no benefit names. */

/** The tiers that benefits and members of the configuration name, by programme. */
export type KnownTiers = ReadonlyMap<string, ReadonlySet<string>>;

export class RowNotes {
  readonly #tiers: KnownTiers;
  /** The first line of each ID, by 48 bits of its hash: a million IDs take 40 MB, and two of them share a number once in 500 lists. */
  readonly #lines = new Map<number, number>();
  readonly #repeated: string[] = [];
  #repetitions = 0;
  readonly #unknownTiers = new Map<string, { programmeId: string; tier: string; count: number; line: number }>();

  constructor(tiers: KnownTiers) {
    this.#tiers = tiers;
  }

  /** Notes a row that was taken. `before` is the member as it was stored. */
  take(line: number, before: StoredMember | undefined, { programmeId, loyaltyId, tier }: MemberPatch): void {
    this.#takeId(line, `${programmeId}\u0000${loyaltyId}`, loyaltyId);
    const known = this.#tiers.get(programmeId);
    if (!tier || tier === before?.tier || !known?.size || known.has(tier)) return;
    const name = `${programmeId}\u0000${tier}`;
    const noted = this.#unknownTiers.get(name);
    if (noted) noted.count += 1;
    else if (this.#unknownTiers.size < MOST_EXAMPLES)
      this.#unknownTiers.set(name, { programmeId, tier, count: 1, line });
  }

  #takeId(line: number, name: string, loyaltyId: string): void {
    const short = Number.parseInt(hash('sha256', Buffer.from(name, 'utf16le'), 'hex').slice(0, 12), 16);
    const first = this.#lines.get(short);
    if (first === undefined) this.#lines.set(short, line);
    else {
      this.#repetitions += 1;
      if (this.#repeated.length < MOST_EXAMPLES) {
        this.#repeated.push(`line ${line}, loyaltyId: ${JSON.stringify(loyaltyId)}, which is also in line ${first}`);
      }
    }
  }

  /** The notes in words; empty when there are none. */
  render(): string {
    const tiers = [...this.#unknownTiers.values()].map(({ programmeId, tier, count, line }) => {
      const known = [...(this.#tiers.get(programmeId) ?? [])];
      const nearest = nearestName(tier, known);
      const meant = nearest === undefined ? `known are ${known.join(', ')}` : `did you mean ${nearest}?`;
      const more = count > 1 ? ` (${count} rows)` : '';
      return `line ${line}${more}, tier: found ${JSON.stringify(tier)}, which no benefit names; ${meant}`;
    });
    return [
      renderExamples('imported, but probably not intended: unknown tiers', tiers),
      renderExamples(
        'imported, but one ID in several rows: the last row counts; make it one row',
        this.#repeated,
        this.#repetitions,
      ),
    ].join('');
  }
}
