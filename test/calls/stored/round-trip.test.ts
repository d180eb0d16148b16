/** Any basket under any programme: the answer that was given, the stored bytes, and the same answer again. */

import { readBasketRequest } from '@loyalty/contract/basket/basket-request';
import type { AnswerContent, AppliedContent } from '@loyalty/engine/answer/content';
import { renderAnswer } from '@loyalty/engine/answer/render';
import { limitedUses } from '@loyalty/engine/offers/limits';
import { decideBasket } from '@loyalty/engine/price';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { arbitraryCase, type Case, GIFTS } from '../../../packages/engine/test/support/arbitrary.ts';
import { buildBasket, buildLine } from '../../../packages/engine/test/support/basket.ts';
import { buildMember, buildVenue } from '../../../packages/engine/test/support/programme.ts';
import { answerContent } from '../../../src/calls/stored/answer-content.ts';
import { decode, encode } from '../../../src/calls/stored/kinds.ts';
import { isHeavyReplay, readStoredContent, replayAnswer, storedForm } from '../../../src/calls/stored/stored-answer.ts';
import { drawn, SEED } from '../../support/effort.ts';
import { LARGE_CASES } from './cases.ts';
import { spellUnusually } from './spelling.ts';
import { answerBasket, answerFresh, FORMS } from './vectors.ts';

const TIMEOUT_MS = 300_000;

/** Texts of a configuration and a member: any, lone surrogates too. */
const anyText = fc.option(fc.string({ unit: 'binary', maxLength: 40 }), { nil: undefined });
const words = fc.record({
  texts: fc.array(anyText, { maxLength: 8 }),
  memberLabel: anyText,
  names: fc.array(fc.string({ unit: 'grapheme', maxLength: 9 }), { maxLength: 6 }),
  isUnusual: fc.boolean(),
});

interface Words {
  readonly texts: readonly (string | undefined)[];
  readonly memberLabel: string | undefined;
  readonly names: readonly string[];
  readonly isUnusual: boolean;
}

/** The case with other texts. */
function reworded({ basket: usual, benefits, policies }: Case, { texts, memberLabel, names }: Words) {
  const worded = benefits.map((benefit, at) => {
    const { text: _usual, ...rest } = benefit;
    return texts[at] === undefined ? rest : { ...rest, text: texts[at] };
  }) as Case['benefits'];
  const basket = { ...usual, lines: usual.lines.map((line, at) => ({ ...line, name: names[at] ?? line.name })) };
  const member = memberLabel === undefined ? {} : { memberLabel };
  return { basket, benefits: worded, policies, products: [...GIFTS], member };
}

describe(`any basket with any programme, seed ${SEED}`, () => {
  it(
    'is answered again with the same bytes',
    () => {
      const statuses = new Set<string>();
      fc.assert(
        fc.property(arbitraryCase(6, 6), words, (example, said) => {
          const worded = reworded(example, said);
          const text = said.isUnusual ? spellUnusually(worded.basket) : JSON.stringify(worded.basket);
          const request = Buffer.from(text);
          const read = readBasketRequest(request, undefined);
          if (!read.ok) throw new Error(read.refusal.message);
          const { body, stored, status } = answerBasket(read.value, worded);
          statuses.add(status);
          const replayed = replayAnswer(stored, request);
          if ('fault' in replayed) throw new Error(replayed.fault);
          if (!Buffer.from(body).equals(replayed.answer)) throw new Error('other bytes');
        }),
        drawn(800),
      );
      expect([...statuses].sort()).toEqual(['applied', 'unchanged']);
    },
    TIMEOUT_MS,
  );

  it(
    'stores the whole content, what no answer shows included',
    () => {
      fc.assert(
        fc.property(arbitraryCase(6, 6), words, (example, said) => {
          const { basket, benefits, policies, products, member } = reworded(example, said);
          const venue = buildVenue([...benefits], policies, products);
          const uses = limitedUses(venue, basket.requestedAt);
          const available = new Map(uses.map(({ usageKey, limit }) => [usageKey, limit]));
          const { content } = decideBasket({ basket, member: buildMember(member), venue, available });
          expect(decode(answerContent, encode(answerContent, content))).toEqual(content);
        }),
        drawn(200),
      );
    },
    TIMEOUT_MS,
  );
});

const NOTHING_GIVEN: AppliedContent = {
  status: 'applied',
  memberLabel: undefined,
  discountCode: 'd',
  benefits: [],
  receiptFooterText: undefined,
  effects: [],
  parts: [],
  removedOrderDiscounts: [],
  orders: [],
  gifts: [],
};

describe('what is stored keeps', () => {
  const content: AppliedContent = {
    ...NOTHING_GIVEN,
    benefits: [
      { benefitId: 'first', text: 'For members' },
      { benefitId: 'second', text: undefined },
      { benefitId: 'third', text: 'For you' },
    ],
  };
  const kept = (given: AppliedContent) => decode(answerContent, encode(answerContent, given));

  test.each([
    ['none', undefined, 0],
    ['the text of the first benefit', 'For members', 0],
    ['the text of another benefit', 'For you', 0],
    // Behind its length.
    ['a text of its own', 'Both', 1 + 'Both'.length],
  ])('the footer of the receipt: %s', (_, receiptFooterText, bytes) => {
    const given = { ...content, receiptFooterText };
    expect(kept(given)).toEqual(given);
    expect(encode(answerContent, given).length - encode(answerContent, content).length).toBe(bytes);
  });

  test.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])('whether a product that was given may get discounts: %s, %s', (noDiscount, noPercentageDiscount) => {
    const unnamed = { productMasterId: undefined, productGroupId: undefined, ean: undefined };
    const gift = { benefit: 1, ...unnamed, ...GIFTS[0]!, units: 1, noDiscount, noPercentageDiscount };
    expect(kept({ ...content, gifts: [gift] })).toMatchObject({ gifts: [{ noDiscount, noPercentageDiscount }] });
  });
});

test('the number that cannot be stored is an error before anything is stored', () => {
  for (const amount of [-1, 0.5, Number.NaN, 2 ** 53]) {
    const content: AnswerContent = {
      ...NOTHING_GIVEN,
      benefits: [{ benefitId: 'b', text: undefined }],
      effects: [{ benefit: 0, percentHundredths: undefined, overrideUnitPrice: undefined }],
      parts: [{ line: 0, cut: undefined, isCleared: false, effect: { effect: 0, units: 1, amount } }],
    };
    expect(() => encode(answerContent, content), String(amount)).toThrow('assertion failed');
  }
});

describe('stored bytes that are not what was stored are a fault, never another answer', () => {
  const basket = buildBasket([buildLine({ lineId: '1' }), buildLine({ lineId: '2', quantity: 3 })]);
  const request = Buffer.from(JSON.stringify(basket));
  const benefits = [{ benefitId: 'b', kind: 'line_percent', percent: 10, text: 'Ten' }] as const;
  const { body, stored: form } = answerBasket(basket, { benefits });
  const given = Buffer.from(body).toString();
  const replay = (stored: Buffer, toRequest = request) => {
    const replayed = replayAnswer(stored, toRequest);
    return 'fault' in replayed ? 'fault' : Buffer.from(replayed.answer).toString();
  };

  test('every bit of it turned', () => {
    for (let bit = 0; bit < form.length * 8; bit += 1) {
      const turned = Buffer.from(form);
      turned[bit >> 3]! ^= 1 << (bit & 7);
      // The name of a benefit and the units it takes are for explanations: an answer does not show them.
      expect(['fault', given], `bit ${bit}`).toContain(replay(turned));
    }
  });

  test('every length of it, and more', () => {
    for (let length = 0; length < form.length; length += 1) {
      expect(replay(form.subarray(0, length)), `${length} bytes`).toBe('fault');
    }
    expect(replay(Buffer.concat([form, Buffer.from([0])]))).toBe('fault');
  });

  test('a form that no version wrote', () => {
    for (const other of Array.from({ length: 256 }, (_, at) => at).filter((at) => !FORMS.includes(at))) {
      const unknown = Buffer.from(form);
      unknown[0] = other;
      expect(replay(unknown), `form ${other}`).toBe('fault');
    }
  });

  test('another request', () => {
    const other = buildBasket([buildLine({ lineId: '1' }), buildLine({ lineId: '2', quantity: 4 })]);
    expect(replay(form, Buffer.from(JSON.stringify(other)))).toBe('fault');
    expect(replay(form, Buffer.from('{}'))).toBe('fault');
  });

  test('a request that is no JSON, which is told', () => {
    const fault = 'A stored answer cannot be replayed: its request is not JSON';
    expect(replayAnswer(form, request.subarray(1))).toEqual({ fault });
  });

  test('it renders again only with its own content', () => {
    expect(JSON.stringify(renderAnswer(basket, readStoredContent(form)!))).toBe(given);
  });
});

test('large answers are stored as decisions too, and a thread renders them again', () => {
  for (const large of LARGE_CASES) {
    const request = Buffer.from(large.request);
    const { body, stored: form } = answerFresh(large);
    expect(form[0]).toBe(22);
    expect(form.length).toBeLessThan(body.length / 20);
    expect(isHeavyReplay(form, request)).toBe(true);
    expect(replayAnswer(form, request)).toEqual({ answer: body });
    form[1]! ^= 1;
    expect(replayAnswer(form, request)).toHaveProperty('fault');
  }
});

test('a replay of a large request or a large answer is left to a thread', () => {
  const [light, heavy] = [64 * 1024, 64 * 1024 + 1].map((size) =>
    storedForm({ status: 'member_not_found' }, Buffer.alloc(size)),
  );
  const [small, large] = [16 * 1024, 16 * 1024 + 1].map((size) => Buffer.alloc(size));
  expect([isHeavyReplay(light!, small!), isHeavyReplay(heavy!, small!), isHeavyReplay(light!, large!)]).toEqual([
    false,
    true,
    true,
  ]);
  // What cannot be replayed takes no time.
  const unknown = Buffer.from(heavy!);
  unknown[0] = 0;
  for (const stored of [unknown, heavy!.subarray(0, 5), Buffer.alloc(0)])
    expect(isHeavyReplay(stored, large!)).toBe(false);
});

test('the decision is read only of what is one', () => {
  const form = storedForm({ status: 'member_not_found' }, Buffer.from('{}'));
  expect(readStoredContent(form)).toEqual({ status: 'member_not_found' });
  expect(readStoredContent(form.subarray(0, 6))).toBeUndefined();
  expect(readStoredContent(Buffer.concat([Buffer.of(0), form.subarray(1)]))).toBeUndefined();
});
