import { MAX_IDENTIFIER_CHARACTERS } from '../contract/limits.ts';

const MAX_CONTEXT_BYTES = 4096;

/**
 * Finds the venue and the terminal setup in a basket that was refused, for the log: of a basket that is no JSON, or has a
 * fault in its schema, nothing else tells who sent it. It searches the bytes, because reading the body once more would
 * make a refused call dearer than an answered one.
 */
export function findSender(body: Uint8Array): { venueId?: string; terminal?: string } {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const start = bytes.indexOf('"context"');
  if (start < 0) return {};
  const context = sectionAt(bytes, start);
  const [venueId, terminal] = [textOf(context, 'venueId'), textOf(context, 'baxId')];
  // A caller may have mixed its fields up, and no log line names a loyalty ID.
  const loyaltyId = textOf(sectionAt(bytes, bytes.indexOf('"loyaltyId"')), 'loyaltyId');
  return {
    ...(venueId !== undefined && venueId !== loyaltyId && { venueId }),
    ...(terminal !== undefined && terminal !== loyaltyId && { terminal }),
  };
}

/** The text from a place of the body on, as far as its fields may reach; empty without a place. */
function sectionAt(bytes: Buffer, start: number): string {
  return start < 0 ? '' : bytes.subarray(start, start + MAX_CONTEXT_BYTES).toString('utf8');
}

/** The first text under this name, if it is an identifier as the schema allows it. */
function textOf(json: string, name: 'venueId' | 'baxId' | 'loyaltyId'): string | undefined {
  const literal = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(json)?.[1];
  if (literal === undefined) return undefined;
  try {
    const text: string = JSON.parse(literal);
    return text.length <= MAX_IDENTIFIER_CHARACTERS ? text : undefined;
  } catch {
    return undefined;
  }
}
