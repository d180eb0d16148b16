import { replyText, type ScriptReply } from '../redis/scripts.ts';

/**
 * What is kept of a sold basket, as the settle script returns it for the lines of its event: the basket as it came, and its
 * answer where the sale was made by it.
 */
export interface SoldBytes {
  readonly basket: Buffer;
  readonly answer: Buffer | undefined;
}

/** The lines of a sale as JSON for its event; undefined where they are not known. */
export type LinesOf = (sold: SoldBytes) => string | undefined;

/** The answer counts where the sale was made by it; otherwise the basket was paid as the till had sent it. */
export function readSoldBytes(isByAnswer: boolean, reply: readonly ScriptReply[]): SoldBytes | undefined {
  const [basket, answer] = [reply[14] as Buffer, reply[15] as Buffer];
  const wasAnsweredBefore = replyText(reply[9]) !== '';
  if (basket.length === 0 || !wasAnsweredBefore) return undefined;
  const isAsAnswered = isByAnswer && replyText(reply[4]) === 'applied';
  if (isAsAnswered && answer.length === 0) return undefined;
  return { basket, answer: isAsAnswered ? answer : undefined };
}
