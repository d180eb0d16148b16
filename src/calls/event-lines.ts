import type { BasketLine } from '@loyalty/contract/basket-request';
import type { BasketLineOut } from '@loyalty/contract/basket-response';
import { renderAnswer } from '@loyalty/engine/answer/render';
import type { SoldBytes } from '../store/sold-bytes.ts';
import { restore } from './past-basket.ts';
import { readStoredContent } from './stored/stored-answer.ts';

/**
 * The lines of a sale for its event: what stamps and points are counted from, without asking the till. They are read from
 * what is kept of the basket and its answer, so a sale costs more and a basket call does not.
 */

/**
 * The lines as JSON, `paid` in minor units; undefined where not enough is kept: of a very large basket, or of an answer that
 * was forgotten before its sale came.
 */
export function describeLines(sold: SoldBytes): string | undefined {
  const lines = linesOf(sold)?.map(({ lineId, productId, productGroupId, quantity, orderLinePrice: paid }) => ({
    ...{ lineId, productId, productGroupId, quantity, paid },
  }));
  return lines && JSON.stringify(lines);
}

function linesOf({ basket, answer }: SoldBytes): readonly (BasketLine | BasketLineOut)[] | undefined {
  const kept = restore(basket);
  if (typeof kept === 'string') return undefined;
  // A sale without our benefits was paid as the till sent it.
  if (!answer) return kept.basket.lines;
  const content = readStoredContent(answer);
  if (content?.status !== 'applied') return undefined;
  const rendered = renderAnswer(kept.basket, content);
  return rendered.status === 'applied' ? rendered.lines : undefined;
}
