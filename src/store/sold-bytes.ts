import type { Values } from './codec.ts';
import type { SETTLED } from './scripts/sales.ts';

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
export function readSoldBytes(isByAnswer: boolean, told: ToldBytes): SoldBytes | undefined {
  const { basket, answer, answered, answeredAtMs } = told;
  // An answer that came after its sale cannot have been what was sold.
  if (basket.length === 0 || answeredAtMs === 0) return undefined;
  const isAsAnswered = isByAnswer && answered === 'applied';
  if (isAsAnswered && answer.length === 0) return undefined;
  return { basket, answer: isAsAnswered ? answer : undefined };
}

type ToldBytes = Pick<Values<typeof SETTLED>, 'basket' | 'answer' | 'answered' | 'answeredAtMs'>;
