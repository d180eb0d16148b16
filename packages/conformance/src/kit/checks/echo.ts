import {
  MAX_EAN_CHARACTERS,
  MAX_IDENTIFIER_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_TEXT_CHARACTERS,
} from '@loyalty/contract/limits';
import type { LineWords } from '../baskets.ts';
import { at, readApplied } from '../judge/applied.ts';
import { echoFaults } from '../judge/lines.ts';
import type { Checks, Session } from '../session.ts';

/**
 * Values come back as they were sent (interface, sections 2 and 4.6): texts that a careless service trims, cuts, composes
 * or spells anew, each beside a neighbour that it must not be taken for, and every optional field, there or left out.
 */

/** `é` as one character and as two: equal to the eye and to a database that normalises, and two texts here. */
const [COMPOSED, DECOMPOSED] = ['Caf\u00e9', 'Cafe\u0301'];

/** Pairs of texts that are different ones. */
const NEIGHBOURS: readonly (readonly [one: string, other: string])[] = [
  ['  padded ', 'padded'],
  ['\tpadded\u00a0', 'padded\u00a0'],
  [COMPOSED, DECOMPOSED],
  ['MiXeD-Case', 'mixed-case'],
  ['STRASSE', 'Stra\u00dfe'],
  ['0042', '42'],
  ['1e3', '1000'],
  ['__proto__', 'constructor'],
  ['null', 'undefined'],
  ['"quoted" \\ {x}:*', '"quoted" \\\\ {x}:*'],
  ['\u202eright to left', 'right to left'],
  ['\ud83c\udf81\u200d\ud83c\udf81', '\ud83c\udf81\ud83c\udf81'],
  ['line\u2028break', 'line\nbreak'],
];

/** Texts of the greatest length, in characters of one byte each or of four. */
const LONG_LINES: readonly LineWords[] = ['x', '\ud83c\udf81'].map((character) => ({
  ...named(character.repeat(MAX_IDENTIFIER_CHARACTERS)),
  ean: character.repeat(MAX_EAN_CHARACTERS),
  name: character.repeat(MAX_NAME_CHARACTERS),
}));

/** A line whose every identifier is this text. */
function named(text: string): LineWords {
  return { lineId: text, productId: text, name: text, productGroupId: text, productMasterId: text };
}

/** Each optional field of a line alone, then all of them. */
const OPTIONAL: Readonly<Record<string, LineWords>> = {
  productMasterId: { productMasterId: 'Master 5' },
  productGroupId: { productGroupId: ' group/5 ' },
  ean: { ean: '0007038010000010' },
  parentLineId: { parentLineId: 'line-1' },
};

/** Half of the line is more than the test member's 20 %; a service that keeps such a discount keeps its details. */
const STAFF: LineWords = {
  existingPercent: 50,
  existingLineDiscountText: '\u00e6'.repeat(MAX_TEXT_CHARACTERS),
  existingLineDiscountCampaignId: ' Campaign-0042 ',
};

/** Decimal quantities and prices of every size; each product is exact. */
const QUANTITIES = [1e-7, 0.000_1, 0.001, 0.125, 0.3, 1, 2.5, 17, 199.95, 1_000, 12_345.678, 1e6, 1e9];
const PRICES = Array.from({ length: 16 }, (_, digits) => 10 ** digits - (digits % 2));

export const echoChecks: Checks = {
  'echo.texts': {
    section: '2, 4.6',
    title: 'Padded, decomposed, mixed-case and strange texts come back verbatim, each told from its neighbour',
    run: async (session) => {
      for (const pair of NEIGHBOURS) await expectEcho(session, pair.map(named), JSON.stringify(pair));
    },
  },
  'echo.references': {
    section: '2, 4.6',
    title: 'References to lines and order discounts of such IDs stay theirs',
    run: async (session) => {
      for (const [one, other] of NEIGHBOURS) {
        const lines: LineWords[] = [
          { lineId: one, shares: { [one]: 300 } },
          { lineId: other, shares: { [other]: 200 } },
          { parentLineId: one },
          { parentLineId: other },
        ];
        await expectEcho(session, lines, `references to ${JSON.stringify([one, other])}`);
      }
    },
  },
  'echo.long-texts': {
    section: '2 · decision',
    title: 'Texts of the greatest length come back whole, in characters of one byte and of four',
    run: async (session) => {
      for (const line of LONG_LINES) await expectEcho(session, [line, {}], `${line.lineId?.length} units`);
    },
  },
  'echo.optional-fields': {
    section: '2, 4.6',
    title: 'Optional fields come back as they were sent, and one that was not sent is not made up',
    run: async (session) => {
      const all = Object.assign({}, ...Object.values(OPTIONAL)) as LineWords;
      for (const [name, words] of [...Object.entries(OPTIONAL), ['all of them', all] as const]) {
        await expectEcho(session, [{}, words, {}], name);
      }
      await expectEcho(session, [{ ...all, parentLineId: 'line-2' }, STAFF], 'with a staff discount');
    },
  },
  'echo.numbers': {
    section: '2, 4.6',
    title: 'Quantities and prices of every size come back as they were sent',
    run: async (session) => {
      const unitPrices = QUANTITIES.map((quantity) => Math.max(1, Math.round(1_000 / quantity)));
      const weighed = QUANTITIES.map((quantity, index) => ({ quantity, unitPrice: unitPrices[index] ?? 1 }));
      await expectEcho(session, [{}, ...weighed], 'quantities');
      for (const unitPrice of PRICES)
        await expectEcho(session, [{ unitPrice: 10 }, { unitPrice }], `a price of ${unitPrice}`);
    },
  },
  'echo.context': {
    section: '2',
    title: 'The values of the context that are nobody else’s are taken as they are',
    run: async (session) => {
      const names = [...NEIGHBOURS.flat(), '\u00e6'.repeat(MAX_IDENTIFIER_CHARACTERS)];
      const clerks = [0, -1, 1, 2 ** 31, Number.MAX_SAFE_INTEGER];
      for (const own of [
        ...names.map((text) => ({ cashRegisterId: text, terminalId: text })),
        ...clerks.map((clerkNumber) => ({ clerkNumber })),
      ]) {
        const basket = session.baskets.of();
        const body = { ...basket, context: { ...basket.context, ...own } };
        await session.accepted(body, `a context with ${JSON.stringify(own)}`);
      }
    },
  },
};

/** Prices a basket of these lines, none of which may be missing or come back changed. */
async function expectEcho(session: Session, words: readonly LineWords[], about: string): Promise<void> {
  const basket = session.baskets.of(words);
  const answer = await session.applied(basket, about);
  if (!answer) return;
  const applied = readApplied(basket, answer);
  const missing = basket.lines.filter(({ lineId }) => !applied.parts.has(lineId));
  const faults = [...missing.map((line) => `${at(line)}: is missing`), ...echoFaults(applied)];
  session.failures.push(...faults.map((fault) => `${about}: ${fault}`));
}
