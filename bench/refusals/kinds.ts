import { createHmac, randomUUID } from 'node:crypto';
import { createBaskets } from '../load/baskets.ts';
import { createMessage, fillMessage, type Message } from '../load/message.ts';
import { loyaltyIdOf, MEMBER_COUNT } from '../load/mix.ts';
import type { NextRequest } from './loop.ts';

const BASKETS = 16;
const SEED = 1;
const CONNECTIONS = 32;
/** Five times as many calls at once as admission lets in when they all take too long. */
const CROWD = 500;
const SIGNATURE = 'POS-Signature';
const FOREIGN_SECRET = 'c3'.repeat(32);
/** How far ahead of now a call is stamped: signed once, it is fresh for the whole turn. */
const AHEAD_SECONDS = 120;

/** One kind of call: how it is made, and what it is answered. */
export interface Kind {
  readonly name: string;
  readonly status: string;
  /** Which service it is sent to: one without limits, one with the lowest rate limit, or one whose calls take too long. */
  readonly service: 'open' | 'limited' | 'full';
  readonly connections: number;
  readonly requests: (secret: string) => NextRequest;
}

export const ACCEPTED = '200 accepted';

/** The kinds of refusals, and the call that all are compared with, for baskets of so many lines. */
export function createKinds(lines: number): Kind[] {
  const bodies = createBaskets(BASKETS, lines, SEED).map((basket) => JSON.stringify(basket));
  const messages = bodies.map((body) => createMessage('/v1/pos/basket', body));
  const elsewhere = bodies.map((body) => createMessage('/v1/pos/nothing', body));
  const unsigned = bodies.map((body) => renamed(createMessage('/v1/pos/basket', body)));
  const tooLarge = Buffer.from(
    `POST /v1/pos/basket HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${300 * 1024}\r\n\r\n`,
  );
  const kind = (name: string, requests: Kind['requests'], more: Partial<Kind> = {}): Kind => {
    return { name, status: name.slice(0, 3), service: 'open', connections: CONNECTIONS, requests, ...more };
  };
  const signed = (secret: string): NextRequest => filled(messages, secret);
  return [
    kind(ACCEPTED, signed),
    kind('401 no signature', (secret) => filled(unsigned, secret)),
    kind('401 another secret', () => filled(messages, FOREIGN_SECRET)),
    kind('404 unknown path', (secret) => filled(elsewhere, secret)),
    kind('413 too large', () => (target) => tooLarge.copy(target)),
    kind('429 rate limit', signed, { service: 'limited' }),
    kind('503 shed', signed, { service: 'full', connections: CROWD }),
  ];
}

/** A header that nobody knows in the place of the signature, of the same length. */
function renamed(message: Message): Message {
  message.bytes.write('X'.repeat(SIGNATURE.length), message.bytes.indexOf(SIGNATURE), 'latin1');
  return message;
}

function filled(messages: readonly Message[], secret: string): NextRequest {
  const key = Buffer.from(secret, 'hex');
  const timestamp = String(Math.floor(Date.now() / 1000) + AHEAD_SECONDS);
  let sent = 0;
  return (target) => {
    const message = messages[sent % messages.length]!;
    sent += 1;
    const loyaltyId = loyaltyIdOf(sent % MEMBER_COUNT);
    const filling = { timestamp, signature: '0'.repeat(64), calculationId: randomUUID(), loyaltyId };
    const length = fillMessage(target, message, filling);
    const body = target.subarray(length - message.body.length, length);
    const signature = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
    target.write(signature, message.gaps.signature, 'latin1');
    return length;
  };
}
