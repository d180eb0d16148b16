import { BasketRequest } from '../contract/basket-request.ts';
import type { BasketResponse } from '../contract/basket-response.ts';
import { decoded, type InBytes, sealed, unsealed } from '../contract/byte-text.ts';
import type { AnswerContent } from '../pricing/answer/content.ts';
import { renderAnswer } from '../pricing/answer/render.ts';
import { keepKnownFields } from '../recording/known-fields.ts';
import { decodeContent, decodeContentInBytes } from './stored/decode.ts';

/** A basket in either form. */
export type AnyBasket =
  | { readonly isInBytes?: false; readonly basket: BasketRequest }
  | { readonly isInBytes: true; readonly basket: InBytes<BasketRequest> };

/** An answer with its request, both in the same form, and its bytes. */
export type Rendition =
  | {
      readonly isInBytes: false;
      readonly basket: BasketRequest;
      readonly answer: BasketResponse;
      readonly body: Buffer;
    }
  | {
      readonly isInBytes: true;
      readonly basket: InBytes<BasketRequest>;
      readonly answer: InBytes<BasketResponse>;
      readonly body: Buffer;
    };

/** Renders the answer of an encoded content, in the form of its request. The bytes are the same in either form. */
export function renderDigest(request: AnyBasket, digest: Buffer, from = 0): Rendition {
  if (request.isInBytes) {
    const { basket } = request;
    const content = decodeContentInBytes(digest, from);
    if (content) {
      const answer = renderInBytes(basket, content);
      return { isInBytes: true, basket, answer, body: Buffer.from(JSON.stringify(answer), 'latin1') };
    }
  }
  const basket = textsOf(request);
  const answer = renderAnswer(basket, decodeContent(digest, from));
  return { isInBytes: false, basket, answer, body: Buffer.from(JSON.stringify(answer)) };
}

/** Renders in byte texts: the renderer copies texts and compares them with others of the request, and looks into none. */
function renderInBytes(basket: InBytes<BasketRequest>, content: InBytes<AnswerContent>): InBytes<BasketResponse> {
  return sealed(renderAnswer(unsealed(basket), unsealed(content)));
}

/**
 * The basket with ordinary texts. Fields that the interface does not name are left out before a text is decoded: a field
 * nested some thousand deep can be parsed, and cannot be written again.
 */
export function textsOf(request: AnyBasket): BasketRequest {
  if (!request.isInBytes) return request.basket;
  return decoded(sealed(keepKnownFields(BasketRequest, unsealed(request.basket))));
}
