import { CLOCK_WINDOW_SECONDS } from '@loyalty/contract/limits';
import { signatureHeader, signPayload } from '@loyalty/contract/signature';
import type { Check, Session } from '../session.ts';
import { SALE_PATH, type Sending } from '../target.ts';

/** The request signature (interface, section 5), as a caller and as an attacker would send it. */

/** The kit's clock and the server's may differ a little; the window is tested this far from its edges. */
const CLOCK_TOLERANCE_SECONDS = 10;
const NEVER_A_SECRET = Buffer.alloc(32, 0xa5);
const WRONG_DIGEST = '0'.repeat(64);

type Sign = (session: Session, bytes: Buffer) => string | readonly string[] | null;

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function right(session: Session, bytes: Buffer, atSeconds = now()): string {
  return signatureHeader(session.options.secret, atSeconds, bytes);
}

function digest(session: Session, bytes: Buffer, t: string): string {
  return signPayload(session.options.secret, t, bytes).toString('hex');
}

const ACCEPTED: Readonly<Record<string, readonly [title: string, sign: Sign]>> = {
  'several-digests': [
    'Of several v1 one that verifies is enough (rotation)',
    (session, bytes) => {
      const t = String(now());
      return `t=${t},v1=${WRONG_DIGEST},v1=${digest(session, bytes, t)}`;
    },
  ],
  'digest-first': [
    'The order of t and v1 does not matter',
    (session, bytes) => {
      const t = String(now());
      return `v1=${digest(session, bytes, t)},t=${t}`;
    },
  ],
  'capital-digest': [
    'The hex digits of v1 may be capitals',
    (session, bytes) => {
      const t = String(now());
      return `t=${t},v1=${digest(session, bytes, t).toUpperCase()}`;
    },
  ],
  'unknown-items': [
    'Unknown items of the header are ignored',
    (session, bytes) => `${right(session, bytes)},v2=abc,x=1`,
  ],
  'inside-the-window-past': [
    'A time stamp 290 s old is accepted',
    (session, bytes) => right(session, bytes, now() - CLOCK_WINDOW_SECONDS + CLOCK_TOLERANCE_SECONDS),
  ],
  'inside-the-window-future': [
    'A time stamp 290 s ahead is accepted',
    (session, bytes) => right(session, bytes, now() + CLOCK_WINDOW_SECONDS - CLOCK_TOLERANCE_SECONDS),
  ],
};

const REFUSED: Readonly<Record<string, readonly [title: string, sign: Sign]>> = {
  'missing-header': ['A request without a signature is refused', () => null],
  'missing-t': ['A header without t is refused', (session, bytes) => `v1=${digest(session, bytes, String(now()))}`],
  'missing-digest': ['A header without v1 is refused', () => `t=${now()}`],
  'empty-header': ['An empty header is refused', () => ''],
  'two-time-stamps': ['Two different t are refused', (session, bytes) => `t=${now() - 1},${right(session, bytes)}`],
  'foreign-secret': ['Another secret is refused', (_, bytes) => signatureHeader(NEVER_A_SECRET, now(), bytes)],
  'tampered-body': [
    'A body changed in one byte is refused',
    (session, bytes) => {
      const other = Buffer.from(bytes);
      other.writeUInt8((other.at(-2) ?? 0) ^ 1, other.length - 2);
      return right(session, other);
    },
  ],
  'tampered-time': [
    'A t that was not signed is refused',
    (session, bytes) => `t=${now()},v1=${digest(session, bytes, String(now() - 5))}`,
  ],
  'unsigned-time': [
    'A digest over the body alone is refused',
    (session, bytes) => `t=${now()},v1=${signPayload(session.options.secret, '', bytes).toString('hex')}`,
  ],
  'truncated-digest': ['Half a digest is refused', (session, bytes) => right(session, bytes).slice(0, -32)],
  'padded-digest': ['A digest with something after it is refused', (session, bytes) => `${right(session, bytes)}00`],
  'wrong-digests': [
    'Several v1 that do not verify are refused',
    () => `t=${now()},v1=${WRONG_DIGEST},v1=${'f'.repeat(64)}`,
  ],
};

const STALE: Readonly<Record<string, readonly [title: string, offsetSeconds: number]>> = {
  'stale-past': ['A time stamp 310 s old is stale_timestamp', -CLOCK_WINDOW_SECONDS - CLOCK_TOLERANCE_SECONDS],
  'stale-future': ['A time stamp 310 s ahead is stale_timestamp', CLOCK_WINDOW_SECONDS + CLOCK_TOLERANCE_SECONDS],
};

export const signatureChecks: readonly Check[] = [
  {
    name: 'signature.raw-bytes',
    section: '5',
    title: 'The signature covers the bytes as sent: blanks, escapes and field order included',
    run: async (session) => {
      const basket = session.baskets.of([{ name: 'Blåbær 🫐' }]);
      const reversed = Object.fromEntries(Object.entries(basket).reverse());
      const spaced = JSON.stringify(reversed, null, '\t').replace('å', '\\u00e5');
      session.expectAccepted(await session.basket(`\r\n${spaced}\n`), 'a body in another spelling');
    },
  },
  ...Object.entries(ACCEPTED).map(
    ([name, [title, sign]]): Check => ({
      name: `signature.${name}`,
      section: '5',
      title,
      run: async (session) => {
        const bytes = Buffer.from(JSON.stringify(session.baskets.of()));
        session.expectAccepted(await session.basket(bytes, signed(session, bytes, sign)), title);
      },
    }),
  ),
  ...Object.entries(REFUSED).map(
    ([name, [title, sign]]): Check => ({
      name: `signature.${name}`,
      section: '5, 7',
      title,
      run: async (session) => {
        const basket = Buffer.from(JSON.stringify(session.baskets.of()));
        const exchange = await session.basket(basket, signed(session, basket, sign));
        session.expectRefusal(exchange, 'invalid_signature', 'a basket');
        const sale = Buffer.from(JSON.stringify({ calculationId: crypto.randomUUID(), status: 'cancelled' }));
        const refused = await session.send(SALE_PATH, sale, signed(session, sale, sign));
        session.expectRefusal(refused, 'invalid_signature', 'a sale event');
      },
    }),
  ),
  ...Object.entries(STALE).map(
    ([name, [title, offsetSeconds]]): Check => ({
      name: `signature.${name}`,
      section: '5, 7',
      title,
      run: async (session) => {
        const sending = { signedAtSeconds: now() + offsetSeconds };
        session.expectRefusal(await session.basket(session.baskets.of(), sending), 'stale_timestamp', 'a right digest');
        const foreign = { ...sending, secret: NEVER_A_SECRET };
        // Step 2 of the verification comes before step 3.
        session.expectRefusal(await session.basket(session.baskets.of(), foreign), 'stale_timestamp', 'a wrong digest');
      },
    }),
  ),
  {
    name: 'signature.before-the-body',
    section: '5 · decision',
    title: 'Who cannot sign learns nothing about the body',
    run: async (session) => {
      const headers = { 'POS-Signature': null };
      for (const body of ['no JSON', JSON.stringify(session.baskets.ofSize(201))]) {
        session.expectRefusal(await session.basket(body, { headers }), 'invalid_signature', 'a wrong body, unsigned');
      }
    },
  },
];

function signed(session: Session, bytes: Buffer, sign: Sign): Sending {
  return { headers: { 'POS-Signature': sign(session, bytes) } };
}
