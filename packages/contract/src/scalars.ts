import {
  MAX_EAN_CHARACTERS,
  MAX_IDENTIFIER_CHARACTERS,
  MAX_LOYALTY_ID_CHARACTERS,
  MAX_MONEY,
  MAX_NAME_CHARACTERS,
  MAX_TEXT_CHARACTERS,
  MAX_TRANSACTION_ID_CHARACTERS,
} from './limits.ts';
import { Type } from './schema-type.ts';

/** Scalar types (interface, section 2). Lengths count code points, as JSON Schema does. */

export const Uuid = Type.String({ format: 'lower-case-uuid' });
export const LoyaltyId = Type.String({ minLength: 1, maxLength: MAX_LOYALTY_ID_CHARACTERS });
export const TransactionId = Type.String({ minLength: 1, maxLength: MAX_TRANSACTION_ID_CHARACTERS });
export const Currency = Type.String({ pattern: '^[A-Z]{3}$' });
/** Minor units of the basket currency. */
export const Money = Type.Integer({ minimum: 0, maximum: MAX_MONEY });
/** Per cent with at most two decimals; `hundredths` is our own keyword, because `multipleOf: 0.01` is floating point. */
export const Percent = Type.Number({ minimum: 0, maximum: 100, hundredths: true });
export const DiscountType = Type.Enum(['none', 'amount', 'percent']);
export const Channel = Type.Enum(['pos', 'mpos']);
export const Identifier = Type.String({ minLength: 1, maxLength: MAX_IDENTIFIER_CHARACTERS });
/** An optional identifier. It may be empty, for callers that send every field. */
export const Reference = Type.String({ maxLength: MAX_IDENTIFIER_CHARACTERS });
export const Ean = Type.String({ maxLength: MAX_EAN_CHARACTERS });
export const Name = Type.String({ maxLength: MAX_NAME_CHARACTERS });
export const Text40 = Type.String({ maxLength: MAX_TEXT_CHARACTERS });
/** RFC 3339 with offset. */
export const DateTime = Type.String({ format: 'rfc3339' });
/** Any number above zero; weighed goods have decimals. */
export const Quantity = Type.Number({ exclusiveMinimum: 0 });
