import { createHash } from 'node:crypto';

/**
 * The one builder of Redis key names. What stands in `{…}` is the hash tag: everything of one member shares a slot, so a
 * commit stays one script on a cluster; a calculation's index entry and each event stream have slots of their own.
 */
export interface Keys {
  rate(): string;
  index(calculationId: string): string;
  member(member: MemberToken): string;
  /** A pattern that every member's key matches, and no other key. */
  everyMember(): string;
  use(member: MemberToken): string;
  hold(member: MemberToken): string;
  calculation(member: MemberToken, calculationId: string): string;
  answer(member: MemberToken, calculationId: string): string;
  events(stream: number): string;
  due(list: number): string;
  /** Never there: asked for when it matters only whether a write would be taken. */
  probe(): string;
}

/** Programme and loyalty ID, encoded: see `memberToken`. */
export type MemberToken = string & { readonly brand: 'MemberToken' };

/** Streams of settled calculations; several, so that a cluster spreads them. */
export const EVENT_STREAMS = 4;

const TOKEN_CHARACTERS = 22;

/** Key names of one environment. The calculation ID is a checked UUID and the token is ours, so nothing needs escaping. */
export function createKeys(environment: string): Keys {
  const prefix = `loyalty:${environment}`;
  return {
    rate: () => `${prefix}:rate`,
    index: (calculationId) => `${prefix}:index:{${calculationId}}`,
    member: (member) => `${prefix}:member:{${member}}`,
    everyMember: () => `${prefix}:member:{*}`,
    use: (member) => `${prefix}:use:{${member}}`,
    hold: (member) => `${prefix}:hold:{${member}}`,
    calculation: (member, calculationId) => `${prefix}:calc:{${member}}:${calculationId}`,
    answer: (member, calculationId) => `${prefix}:answer:{${member}}:${calculationId}`,
    events: (stream) => `${prefix}:events:${stream}`,
    due: (list) => `${prefix}:due:${list}`,
    probe: () => `${prefix}:probe`,
  };
}

/**
 * Names a member in keys: 132 bits of SHA-256 over programme and loyalty ID as UTF-16, base64url. The ID is opaque, up
 * to 64 characters of anything; hashed, it can neither break a key nor lengthen one, lone surrogates stay distinct (as
 * UTF-8 they would all become U+FFFD), and a key listing shows no loyalty ID.
 */
export function memberToken(programmeId: string, loyaltyId: string): MemberToken {
  const digest = createHash('sha256').update(`${programmeId}\u0000${loyaltyId}`, 'utf16le').digest('base64url');
  return digest.slice(0, TOKEN_CHARACTERS) as MemberToken;
}

/** The event stream that a calculation is appended to. */
export function eventStream(calculationId: string): number {
  return Number.parseInt(calculationId.slice(-2), 16) % EVENT_STREAMS;
}
