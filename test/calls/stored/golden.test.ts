/**
 * Answers stored by any version replay byte for byte under this one. When a case fails here, the renderer or the codec of a
 * form was changed: leave it as it was. A field that is new begins another form (src/calls/stored/README.md).
 */
import { describe, expect, test } from 'vitest';
import { replayAnswer } from '../../../src/calls/stored/stored-answer.ts';
import { STORED_CASES } from './cases.ts';
import { answerFresh, FORM, FORMS, readVectors, type Vector } from './vectors.ts';

function replay({ stored, request }: Vector): string {
  const replayed = replayAnswer(Buffer.from(stored, 'base64'), Buffer.from(request));
  return 'answer' in replayed ? Buffer.from(replayed.answer).toString() : replayed.fault;
}

describe.each(FORMS)('stored in form %i', (form) => {
  test.each(readVectors(form).map((vector) => [vector.about, vector] as const))('%s', (_, vector) => {
    expect(replay(vector)).toBe(vector.answer);
  });
});

describe('a fresh answer is the golden one', () => {
  const golden = new Map(readVectors(FORM).map((vector) => [vector.about, vector]));

  test.each(STORED_CASES.map((stored) => [stored.about, stored] as const))('%s', (about, stored) => {
    const { request, answer } = golden.get(about) as Vector;
    expect(stored.request).toBe(request);
    expect(Buffer.from(answerFresh(stored).body).toString()).toBe(answer);
  });

  test('no vector is without its case', () => {
    expect([...golden.keys()].sort()).toEqual(STORED_CASES.map(({ about }) => about).sort());
  });
});

test('the cases reach everything that a stored answer can contain', () => {
  const answers = readVectors(FORM).map(({ answer }) => answer);
  const fields = [
    '"member_not_found"',
    '"unchanged"',
    '"memberLabel"',
    '"receiptFooterText"',
    '"overrideUnitPrice"',
    '"splitFromLineId"',
    '"addedByLoyalty"',
    '"lineDiscountType":"percent"',
    '"lineDiscountType":"amount"',
    '"type":"percent","amount"',
    '"type":"amount","amount"',
    '"split-3-2~"',
    '"added-1~"',
    '"loyalty-o1~"',
    '\\ud83d',
    '"existingLineDiscountCampaignId"',
    '9007199254740991',
  ];
  for (const field of fields)
    expect(
      answers.some((answer) => answer.includes(field)),
      field,
    ).toBe(true);
});
