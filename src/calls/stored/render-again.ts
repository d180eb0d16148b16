import { parseJson } from '../../basket/parse-json.ts';
import type { BasketRequest } from '../../contract/basket-request.ts';
import { renderAnswer } from '../../pricing/answer/render.ts';
import { decodeContent } from './decode.ts';

/** An escape names a character, which bytes taken as text would not do. */
const ESCAPE = '\\u';

/**
 * The answer to a request with the content that stands in `stored` from `at` on. A request that was answered is right
 * UTF-8, so its bytes need no decoding: read as Latin-1 they are a JSON text whose strings are still UTF-8 bytes, and written
 * as Latin-1 they are the same bytes again. That takes four fifths of the time. Where a character is escaped, in the request
 * or as UTF-16 in the content, the text has to be decoded.
 */
export function renderAgain(stored: Buffer, at: number, request: Uint8Array): Buffer {
  const bytes = Buffer.from(request.buffer, request.byteOffset, request.byteLength).toString('latin1');
  if (!bytes.includes(ESCAPE)) {
    const { content, hasWideText } = decodeContent(stored, at, 'latin1');
    if (!hasWideText) {
      return Buffer.from(JSON.stringify(renderAnswer(JSON.parse(bytes) as BasketRequest, content)), 'latin1');
    }
  }
  const { content } = decodeContent(stored, at, 'utf8');
  const parsed = parseJson(request);
  if (!parsed.ok) throw new Error('its request is not JSON');
  return Buffer.from(JSON.stringify(renderAnswer(parsed.value as BasketRequest, content)));
}
