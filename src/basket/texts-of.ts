import { BasketRequest } from '../contract/basket-request.ts';
import { decoded, type InBytes, sealed, unsealed } from '../contract/byte-text.ts';
import { keepKnownFields } from '../contract/known-fields.ts';

/**
 * The basket with ordinary texts, for people and files. Fields that the interface does not name are left out before a text is
 * decoded: a field nested some thousand deep can be parsed, and cannot be written again.
 */
export function textsOf(basket: InBytes<BasketRequest>): BasketRequest {
  return decoded(sealed(keepKnownFields(BasketRequest, unsealed(basket))));
}
