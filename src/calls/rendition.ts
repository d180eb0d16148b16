import { BasketRequest } from '../contract/basket-request.ts';
import type { BasketResponse } from '../contract/basket-response.ts';
import { decoded as asTexts, type InBytes, sealed, unsealed } from '../contract/byte-text.ts';
import type { AnswerContent } from '../pricing/answer/content.ts';
import { renderAnswer } from '../pricing/answer/render.ts';
import { keepKnownFields } from '../recording/known-fields.ts';
import { packAddedFields, withFieldsAsGiven } from './stored/added-fields.ts';
import { decodeContent, decodeContentInBytes, decodeInTexts } from './stored/decode.ts';

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
export function renderDigest(request: AnyBasket, digest: Buffer): Rendition {
  if (request.isInBytes) {
    const { basket } = request;
    const decoded = decodeContentInBytes(digest, 0);
    if (decoded) {
      const answer = renderInBytes(basket, decoded.content);
      return { isInBytes: true, basket, answer, body: Buffer.from(JSON.stringify(answer), 'latin1') };
    }
  }
  const basket = textsOf(request);
  const answer = renderAnswer(basket, decodeContent(digest));
  return { isInBytes: false, basket, answer, body: Buffer.from(JSON.stringify(answer)) };
}

/** What is stored of a rendered answer: its digest, and behind it the fields that the digest does not know. */
export function digestOf(rendition: Rendition, digest: Buffer): Buffer {
  const added = rendition.isInBytes
    ? packAddedFields(unsealed(rendition.answer), 'latin1')
    : packAddedFields(rendition.answer, 'utf8');
  return added ? Buffer.concat([digest, added]) : digest;
}

/** The bytes that were given to a request: its answer with the fields of that time, from what is stored behind `from`. */
export function renderStored(request: AnyBasket, stored: Buffer, from: number): Buffer {
  if (request.isInBytes) {
    const decoded = decodeContentInBytes(stored, from);
    if (decoded) {
      const answer = unsealed(renderInBytes(request.basket, decoded.content));
      return Buffer.from(JSON.stringify(withFieldsAsGiven(answer, stored.subarray(decoded.end), 'latin1')), 'latin1');
    }
  }
  const { content, end } = decodeInTexts(stored, from);
  const answer = renderAnswer(textsOf(request), content);
  return Buffer.from(JSON.stringify(withFieldsAsGiven(answer, stored.subarray(end), 'utf8')));
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
  return asTexts(sealed(keepKnownFields(BasketRequest, unsealed(request.basket))));
}
