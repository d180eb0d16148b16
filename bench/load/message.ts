import { createHmac, type KeyObject } from 'node:crypto';
import { JSON_CONTENT_TYPE } from '@loyalty/contract/headers';
import { ID_PLACEHOLDER, MEMBER_PLACEHOLDER } from './baskets.ts';

/**
 * A request as its bytes on the wire, with gaps for the parts that differ between requests of one basket. Every gap has
 * a fixed length, so making a request is a copy with writes, and the signature is its only notable cost.
 */
export interface Message {
  readonly path: string;
  readonly bytes: Buffer;
  /** The body's own bytes within `bytes`. */
  readonly body: Buffer;
  readonly gaps: Gaps;
}

interface Gaps {
  readonly timestamp: number;
  readonly signature: number;
  readonly key: number;
  readonly requestId: number;
  /** Offsets in the body; the member is -1 in a sale event, which has none. */
  readonly calculationId: number;
  readonly member: number;
}

/** The texts for the gaps of one request, each with the length of its placeholder. */
export interface Filling {
  readonly timestamp: string;
  readonly signature: string;
  readonly calculationId: string;
  readonly loyaltyId: string;
}

const TIMESTAMP_LENGTH = 10;
export const SIGNATURE_LENGTH = 64;
export const ID_LENGTH = ID_PLACEHOLDER.length;

/** Builds the message of a path and a body that contains the placeholders. */
export function createMessage(path: string, body: string): Message {
  const content = Buffer.from(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Content-Type: ${JSON_CONTENT_TYPE}`,
    `POS-Signature: t=${'0'.repeat(TIMESTAMP_LENGTH)},v1=${'0'.repeat(SIGNATURE_LENGTH)}`,
    `Idempotency-Key: ${ID_PLACEHOLDER}`,
    `X-Request-Id: ${ID_PLACEHOLDER}`,
    `Content-Length: ${content.length}`,
    '\r\n',
  ].join('\r\n');
  const bytes = Buffer.concat([Buffer.from(head), content]);
  const after = (name: string): number => head.indexOf(name) + name.length;
  const bodyAt = head.length;
  const memberAt = body.indexOf(MEMBER_PLACEHOLDER);
  const gaps = {
    timestamp: after('POS-Signature: t='),
    signature: after(',v1='),
    key: after('Idempotency-Key: '),
    requestId: after('X-Request-Id: '),
    calculationId: bodyAt + body.indexOf(ID_PLACEHOLDER),
    // Only ASCII precedes the placeholders, so an index of the text is one of the bytes.
    member: memberAt < 0 ? -1 : bodyAt + memberAt,
  };
  return { path, bytes, body: bytes.subarray(bodyAt), gaps };
}

/** Writes the IDs into the body of a message or of a copy of it. */
export function fillBody(target: Buffer, { gaps }: Message, calculationId: string, loyaltyId: string): void {
  target.write(calculationId, gaps.calculationId, 'latin1');
  if (gaps.member >= 0) target.write(loyaltyId, gaps.member, 'latin1');
}

/** Copies the message into `target`, filled. Returns its length. */
export function fillMessage(target: Buffer, message: Message, filling: Filling): number {
  const { bytes, gaps } = message;
  bytes.copy(target);
  fillBody(target, message, filling.calculationId, filling.loyaltyId);
  target.write(filling.timestamp, gaps.timestamp, 'latin1');
  target.write(filling.signature, gaps.signature, 'latin1');
  target.write(filling.calculationId, gaps.key, 'latin1');
  target.write(filling.calculationId, gaps.requestId, 'latin1');
  return bytes.length;
}

/** Computes `v1` in hex (interface, section 5) over the message's present body. */
export function signBody(key: KeyObject, timestamp: string, { body }: Message): string {
  return createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
}
