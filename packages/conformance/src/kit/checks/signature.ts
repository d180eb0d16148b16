import { randomUUID } from 'node:crypto';
import { CLOCK_WINDOW_SECONDS } from '@loyalty/contract/limits';
import { signatureHeader, signPayload } from '@loyalty/contract/signature';
import { saleOf } from '../baskets.ts';
import { type Checks, checksOf, type Session } from '../session.ts';
import type { Sending } from '../target.ts';

/** The request signature (interface, section 5), as a caller and as an attacker would send it. */

/** The kit's clock and the server's may differ a little; the window is tested this far from its edges. */
const CLOCK_TOLERANCE_SECONDS = 10;
const NEVER_A_SECRET = Buffer.alloc(32, 0xa5);
const WRONG_DIGEST = '0'.repeat(64);

function now(): number {
  return Math.floor(Date.now() / 1000);
}

/** A right signature of a body in its parts, which a row puts together in its own way. */
interface Signing {
  readonly secret: Uint8Array;
  readonly bytes: Buffer;
  /** Now, in Unix seconds. */
  readonly t: number;
  readonly v1: string;
}

type Sign = (signing: Signing) => string | null;
type Signs = Readonly<Record<string, readonly [title: string, sign: Sign]>>;

const INSIDE_SECONDS = CLOCK_WINDOW_SECONDS - CLOCK_TOLERANCE_SECONDS;

const ACCEPTED: Signs = {
  'signature.several-digests': [
    'Of several v1 one that verifies is enough (rotation)',
    ({ t, v1 }) => `t=${t},v1=${WRONG_DIGEST},v1=${v1}`,
  ],
  'signature.digest-first': ['The order of t and v1 does not matter', ({ t, v1 }) => `v1=${v1},t=${t}`],
  'signature.capital-digest': ['The hex digits of v1 may be capitals', ({ t, v1 }) => `t=${t},v1=${v1.toUpperCase()}`],
  'signature.unknown-items': ['Unknown items of the header are ignored', ({ t, v1 }) => `t=${t},v1=${v1},v2=abc,x=1`],
  'signature.inside-the-window-past': [
    'A time stamp 290 s old is accepted',
    ({ secret, t, bytes }) => signatureHeader(secret, t - INSIDE_SECONDS, bytes),
  ],
  'signature.inside-the-window-future': [
    'A time stamp 290 s ahead is accepted',
    ({ secret, t, bytes }) => signatureHeader(secret, t + INSIDE_SECONDS, bytes),
  ],
};

const REFUSED: Signs = {
  'signature.missing-header': ['A request without a signature is refused', () => null],
  'signature.missing-t': ['A header without t is refused', ({ v1 }) => `v1=${v1}`],
  'signature.missing-digest': ['A header without v1 is refused', ({ t }) => `t=${t}`],
  'signature.empty-header': ['An empty header is refused', () => ''],
  'signature.two-time-stamps': ['Two different t are refused', ({ t, v1 }) => `t=${t - 1},t=${t},v1=${v1}`],
  'signature.foreign-secret': [
    'Another secret is refused',
    ({ t, bytes }) => signatureHeader(NEVER_A_SECRET, t, bytes),
  ],
  'signature.tampered-body': [
    'A body changed in one byte is refused',
    ({ secret, t, bytes }) => {
      const other = Buffer.from(bytes);
      other.writeUInt8((other.at(-2) ?? 0) ^ 1, other.length - 2);
      return signatureHeader(secret, t, other);
    },
  ],
  'signature.tampered-time': [
    'A t that was not signed is refused',
    ({ secret, t, bytes }) => `t=${t},v1=${signPayload(secret, String(t - 5), bytes).toString('hex')}`,
  ],
  'signature.unsigned-time': [
    'A digest over the body alone is refused',
    ({ secret, t, bytes }) => `t=${t},v1=${signPayload(secret, '', bytes).toString('hex')}`,
  ],
  'signature.truncated-digest': ['Half a digest is refused', ({ t, v1 }) => `t=${t},v1=${v1.slice(0, -32)}`],
  'signature.padded-digest': ['A digest with something after it is refused', ({ t, v1 }) => `t=${t},v1=${v1}00`],
  'signature.wrong-digests': [
    'Several v1 that do not verify are refused',
    ({ t }) => `t=${t},v1=${WRONG_DIGEST},v1=${'f'.repeat(64)}`,
  ],
};

const STALE: Readonly<Record<string, readonly [title: string, offsetSeconds: number]>> = {
  'signature.stale-past': [
    'A time stamp 310 s old is stale_timestamp',
    -CLOCK_WINDOW_SECONDS - CLOCK_TOLERANCE_SECONDS,
  ],
  'signature.stale-future': [
    'A time stamp 310 s ahead is stale_timestamp',
    CLOCK_WINDOW_SECONDS + CLOCK_TOLERANCE_SECONDS,
  ],
};

export const signatureChecks: Checks = {
  'signature.raw-bytes': {
    section: '5',
    title: 'The signature covers the bytes as sent: blanks, escapes and field order included',
    run: async (session) => {
      const basket = session.baskets.of([{ name: 'Blåbær 🫐' }]);
      const reversed = Object.fromEntries(Object.entries(basket).reverse());
      const spaced = JSON.stringify(reversed, null, '\t').replace('å', '\\u00e5');
      await session.accepted(`\r\n${spaced}\n`, 'a body in another spelling');
    },
  },
  ...checksOf(ACCEPTED, ([title, sign]) => ({
    section: '5',
    title,
    run: async (session) => {
      const bytes = Buffer.from(JSON.stringify(session.baskets.of()));
      await session.accepted(bytes, title, signed(session, bytes, sign));
    },
  })),
  ...checksOf(REFUSED, ([title, sign]) => ({
    section: '5, 7',
    title,
    run: async (session) => {
      const basket = Buffer.from(JSON.stringify(session.baskets.of()));
      await session.refused(basket, 'invalid_signature', 'a basket', signed(session, basket, sign));
      const sale = Buffer.from(JSON.stringify(saleOf(randomUUID(), 'cancelled')));
      await session.refusedSale(sale, 'invalid_signature', 'a sale event', signed(session, sale, sign));
    },
  })),
  ...checksOf(STALE, ([title, offsetSeconds]) => ({
    section: '5, 7',
    title,
    run: async (session) => {
      const sending = { signedAtSeconds: now() + offsetSeconds };
      await session.refused(session.baskets.of(), 'stale_timestamp', 'a right digest', sending);
      // Step 2 of the verification comes before step 3.
      const foreign = { ...sending, secret: NEVER_A_SECRET };
      await session.refused(session.baskets.of(), 'stale_timestamp', 'a wrong digest', foreign);
    },
  })),
  'signature.before-the-body': {
    section: '5 · decision',
    title: 'Who cannot sign learns nothing about the body',
    run: async (session) => {
      const headers = { 'POS-Signature': null };
      for (const body of ['no JSON', session.baskets.ofSize(201)])
        await session.refused(body, 'invalid_signature', 'a wrong body, unsigned', { headers });
    },
  },
};

function signed({ options: { secret } }: Session, bytes: Buffer, sign: Sign): Sending {
  const t = now();
  const v1 = signPayload(secret, String(t), bytes).toString('hex');
  return { headers: { 'POS-Signature': sign({ secret, bytes, t, v1 }) } };
}
