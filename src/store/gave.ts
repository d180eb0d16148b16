import { replyText, type ScriptReply } from '../redis/scripts.ts';
import { type Given, readGiven } from './given.ts';

/** What a sale gave by its benefits, where, and when it was calculated. */
export interface Gave extends Given {
  readonly venueId: string;
  /** By Redis' clock, ms since 1970; 0 when the answer came after its sale, which cannot have been made by it. */
  readonly atMs: number;
  /** What the guest paid by the answer, in minor units. */
  readonly turnover: number;
  /** Empty where the member had none. */
  readonly tier: string;
  readonly share: string;
}

/** From venue, benefits, instant, total, tier and shares as the settle script returns them. */
export function readGave(reply: readonly ScriptReply[]): Gave | undefined {
  const [venueId = '', text = '', at = '', total = '', tier = '', share = ''] = reply.map((part) => replyText(part));
  const given = readGiven(text);
  return given && { ...given, venueId, atMs: Number(at), turnover: Number(total), tier, share };
}

/** An answer that came after its sale cannot have been what was sold. */
export function effective(gave: Gave | undefined): Gave | undefined {
  return gave && gave.atMs > 0 ? gave : undefined;
}
