import { hash } from 'node:crypto';
import { SLOTS, slotOf } from '../redis/key-slot.ts';
import { type CalculationKey, OWNED_KEYS, type OwnedKeys } from './owned-keys.ts';

/** Programme and loyalty ID, hashed by `memberToken`. */
export type MemberToken = string & { readonly brand: 'MemberToken' };

/** A limit over all members in one period, hashed by `counterToken`: its counter has a slot of its own. */
export type CounterToken = string & { readonly brand: 'CounterToken' };

/** Whose consumption and holds stand under a key: a member's, or those of all members. */
export type CounterOwner = MemberToken | CounterToken;

/** Number of streams of settled calculations; several, so that a cluster spreads them. */
export const EVENT_STREAMS = 4;

const TOKEN_CHARACTERS = 22;

/**
 * The one builder of Redis key names. The text in `{…}` is the hash tag: all keys of one member share a slot, so that a
 * commit stays one script on a cluster. A calculation's index entry and each event stream have slots of their own.
 *
 * Creates the key names of one environment. The calculation ID is a validated UUID and the token is base64url, so no
 * escaping is needed.
 */
export function createKeys(environment: string, owned: OwnedKeys = OWNED_KEYS) {
  const prefix = `loyalty:${environment}`;
  const { member: ofMembers, calculation: ofCalculations } = OWNED_KEYS;
  const others = Object.entries(owned.calculation).flatMap(([name, declared]) =>
    name === 'calculation' || name === 'answer' ? [] : [declared],
  );
  const ownedBy = (owner: CounterOwner, begin: string) => `${prefix}:${begin}:{${owner}}`;
  const keys = {
    rate: () => `${prefix}:rate`,
    index: (calculationId: string) => `${prefix}:index:{${calculationId}}`,
    member: (member: MemberToken) => ownedBy(member, ofMembers.member.prefix),
    /** The members that were merged into this one: their loyalty IDs by their tokens. */
    merged: (member: MemberToken) => ownedBy(member, ofMembers.merged.prefix),
    /** The mark of an erasure that is under way. It belongs to no member's life, so nothing but an erasure knows it. */
    erasing: (member: MemberToken) => ownedBy(member, 'erasing'),
    /** A pattern that matches every key in the slot of a member. */
    everythingOf: (member: MemberToken) => `${prefix}:*:{${member}}*`,
    /** A pattern that matches the members' keys alone. */
    everyMember: () => `${prefix}:member:{*}`,
    use: (owner: CounterOwner) => ownedBy(owner, ofMembers.use.prefix),
    hold: (owner: CounterOwner) => ownedBy(owner, ofMembers.hold.prefix),
    /** Units held under each usage key: the sums of what stands in `hold`. */
    held: (owner: CounterOwner) => ownedBy(owner, ofMembers.held.prefix),
    /** The calculations in `hold` by their deadlines. */
    holdsDue: (owner: CounterOwner) => ownedBy(owner, ofMembers.holdsDue.prefix),
    /** Holds of a counter of all members of which nobody has noted that their calculations are committed. */
    unconfirmed: (counter: CounterToken) => `${prefix}:unconfirmed:{${counter}}`,
    /** The steps that are done in a counter of all members. */
    settled: (counter: CounterToken) => `${prefix}:settled:{${counter}}`,
    calculation: (member: MemberToken, calculationId: string) =>
      `${ownedBy(member, ofCalculations.calculation.prefix)}:${calculationId}`,
    answer: (member: MemberToken, calculationId: string) =>
      `${ownedBy(member, ofCalculations.answer.prefix)}:${calculationId}`,
    /** The returns of a sold calculation. */
    returns: (member: MemberToken, calculationId: string) =>
      `${ownedBy(member, ofCalculations.returns.prefix)}:${calculationId}`,
    events: (stream: number) => `${prefix}:events:${stream}`,
    /** The calculations that the expiry job examines, by when it does. */
    examinations: (list: number) => `${prefix}:due:${list}`,
    /** The grants of all members by their ends. */
    grantsDue: () => `${prefix}:grants-due`,
    /** The calculations of a receipt number, which is any text of the caller. */
    receipt: (transactionId: string) => `${prefix}:receipt:{${hashOf(transactionId)}}`,
    /** What benefits cost and sales brought on a day, `2026-11-21`. */
    costRows: (day: string) => `${prefix}:cost-rows:${day}`,
    /** What was booked on a day and calculated on another one. */
    bookedRows: (day: string) => `${prefix}:booked-rows:${day}`,
    /** When persons decided which outcome of a calculation stands. */
    decisions: () => `${prefix}:decisions`,
    /** A configuration that prices were made by. */
    configuration: (version: string) => `${prefix}:configuration:${version}`,
    /** The configurations that were in force, and the files of each. */
    configurations: () => `${prefix}:configurations`,
    configurationFiles: (version: string) => `${prefix}:configuration-files:${version}`,
    /** What people have changed. */
    changes: () => `${prefix}:changes`,
    /** The format of what is stored, and the oldest that reads it. */
    format: () => `${prefix}:format`,
    /** The mark of the data in one part of a cluster's slots. */
    dataset: (part: number) => `${prefix}:dataset:{${partTags[part]}}`,
    /** The random key of the pseudonyms of members (pseudonyms.ts). */
    pseudonymKey: () => `${prefix}:pseudonym-key`,
    /** A pattern that matches the books of all members' vouchers. */
    everyVouchers: () => `${prefix}:${ofMembers.vouchers.prefix}:{*}`,
    /** The books of members who were erased, under random names. */
    erasedVouchers: () => `${prefix}:vouchers-erased`,
    /** A key that never exists, used to test whether a write would be accepted. */
    probe: () => `${prefix}:probe`,
  };
  return {
    ...keys,
    /** What is declared of the keys of members and calculations. */
    owned,
    ofMember,
    ofCalculation,
    othersOf,
    /** The kinds of a calculation's keys in the order of scripts: record, answer, others. */
    kindsOfCalculation: [ofCalculations.calculation, ofCalculations.answer, ...others].map(({ kind }) => kind),
    /** All keys of a calculation and of its member, by their names in scripts. */
    everyKeyOf: (member: MemberToken, calculationId: string) => ({
      ...ofMember(member),
      ...ofCalculation(member, calculationId),
      others: othersOf(member, calculationId),
    }),
    /** The keys of a limit over all members, by their names in scripts. */
    ofCounter: (counter: CounterToken) => ({
      ...{ use: keys.use(counter), hold: keys.hold(counter), held: keys.held(counter) },
      ...{ holdsDue: keys.holdsDue(counter), unconfirmed: keys.unconfirmed(counter), settled: keys.settled(counter) },
    }),
  };

  /** All keys of a member, by the names of their declarations. */
  function ofMember(member: MemberToken): Readonly<Record<keyof typeof ofMembers, string>> {
    const all: Record<string, string> = {};
    for (const name in owned.member) all[name] = ownedBy(member, owned.member[name]!.prefix);
    return all as Record<keyof typeof ofMembers, string>;
  }

  /** All keys of a calculation, by the names of their declarations. */
  function ofCalculation(
    member: MemberToken,
    calculationId: string,
  ): Readonly<Record<keyof typeof ofCalculations, string>> {
    const all: Record<string, string> = {};
    for (const name in owned.calculation) {
      all[name] = `${ownedBy(member, owned.calculation[name]!.prefix)}:${calculationId}`;
    }
    return all as Record<keyof typeof ofCalculations, string>;
  }

  /** The keys of a calculation beside its record and its answer, in the order of their declarations; all, or those that are kept so long. */
  function othersOf(member: MemberToken, calculationId: string, kept?: CalculationKey['kept']): string[] {
    const some = kept === undefined ? others : others.filter((declared) => declared.kept === kept);
    return some.map((declared) => `${ownedBy(member, declared.prefix)}:${calculationId}`);
  }
}

/** The names of all keys of one environment. */
export type Keys = ReturnType<typeof createKeys>;

/**
 * Names a member in keys: 132 bits of SHA-256 over programme and loyalty ID as UTF-16, base64url. The ID is opaque text
 * of up to 64 characters. Its hash has a fixed length and safe characters, keeps lone surrogates distinct (as UTF-8
 * they would all become U+FFFD), and hides the loyalty ID in a key listing. It has no key, so that whoever tries all card numbers finds it: outside of the
 * member's own keys a pseudonym stands in its place (pseudonyms.ts).
 */
export function memberToken(programmeId: string, loyaltyId: string): MemberToken {
  return hashOf(`${programmeId}\u0000${loyaltyId}`) as MemberToken;
}

/**
 * Names the counter of a limit over all members. No programmeId begins with the character that its text begins with, so it is
 * no member's.
 */
export function counterToken(programmeId: string, venueId: string | undefined, usageKey: string): CounterToken {
  return hashOf(`\u0000${programmeId}\u0000${usageKey}\u0000${venueId ?? ''}`) as CounterToken;
}

function hashOf(text: string): string {
  return hash('sha256', Buffer.from(text, 'utf16le'), 'base64url').slice(0, TOKEN_CHARACTERS);
}

const PARTS = 32;
/** The parts of a cluster's slots that have a mark of their own. */
export const DATASET_PARTS: readonly number[] = Array.from({ length: PARTS }, (_, part) => part);
const partTags = findTags();

/** For each part the first number whose slot, as a hash tag, lies in it. */
function findTags(): readonly number[] {
  const tags: number[] = [];
  for (let tag = 0, found = 0; found < PARTS; tag += 1) {
    const part = Math.floor((slotOf(String(tag)) * PARTS) / SLOTS);
    if (tags[part] !== undefined) continue;
    tags[part] = tag;
    found += 1;
  }
  return tags;
}

/** The event stream of a calculation, and its list of examinations. */
export function eventStream(calculationId: string): number {
  return Number.parseInt(calculationId.slice(-2), 16) % EVENT_STREAMS;
}

/** The keys of all event streams or lists of examinations, beginning with the one of this number. */
export function preferring(first: number, keyOf: (number: number) => string): string[] {
  return Array.from({ length: EVENT_STREAMS }, (_, step) => keyOf((first + step) % EVENT_STREAMS));
}
