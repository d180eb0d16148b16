import type { Judgement } from '../mutant.ts';
import { FAST_PATH, judge } from './judge.ts';

const COMPILER = 'Only the compiler needs it: applied content makes an applied answer.';
const INSTANT = 'The clock meets no bound exactly, and at that instant both are right.';

export const CALLS: readonly Judgement[] = [
  ...judge('src/calls/basket-call.ts', INSTANT, [
    ['monotonicMs() > deadlineMs - COMMIT_MARGIN_MS', 'monotonicMs() >= deadlineMs - COMMIT_MARGIN_MS'],
  ]),
  ...judge('src/calls/basket-call.ts', FAST_PATH, [['movedMs === 0', 'false']]),
  ...judge('src/calls/common-holds.ts', FAST_PATH, [['common.length === 0', 'false']]),
  ...judge('src/calls/common-holds.ts', 'Only the compiler needs it: of a shortage, nobody reads the uses.', [
    ["held.outcome === 'shortage'", 'false'],
  ]),
  ...judge('src/calls/common-holds.ts', 'What held nothing has no counter to confirm or give back in.', [
    ['this.#held.size === 0', 'false'],
  ]),
  ...judge('src/calls/dry-run.ts', 'No calculation has such an ID.', [
    ['supersedesCalculationId === undefined', 'false'],
    ['[]', '["Stryker was here"]'],
  ]),
  ...judge('src/calls/member-copy.ts', 'A batch of nothing adds nothing.', [
    ['first < calculationIds.length', 'first <= calculationIds.length'],
  ]),
  ...judge('src/calls/member-copy.ts', 'Only the compiler needs it: a return that is read has its time.', [
    ['atMs !== undefined', 'true'],
  ]),
  ...judge('src/calls/lookup.ts', FAST_PATH, [
    ["limits.length > 0 || audience === 'granted'", 'true'],
    ['limits.length > 0', 'limits.length >= 0'],
    ['existing.length === 0', 'false'],
  ]),
  ...judge('src/calls/lookup.ts', 'What no basket names is neither found nor superseded, only asked for.', [
    ['supersedesCalculationId === undefined', 'false'],
  ]),
  ...judge('src/calls/lookup.ts', 'No benefit gives nothing on a line, so an amount of nothing is none of its.', [
    [
      'basket.lines.map((line) => line.existingLineDiscountAmount).filter((amount) => amount > 0)',
      'basket.lines.map(line => line.existingLineDiscountAmount)',
    ],
    ['amount > 0', 'true'],
    ['amount > 0', 'amount >= 0'],
  ]),
  ...judge('src/calls/lookup.ts', 'No amount is a text.', [['[]', '["Stryker was here"]']]),
  ...judge('src/calls/returns.ts', 'Only the compiler needs it: a sale that is found was told.', [
    ['record.sale?.status', 'record.sale.status'],
  ]),
  ...judge('src/calls/returns.ts', 'One round more is as good.', [['round < MAX_ROUNDS', 'round <= MAX_ROUNDS']]),
  ...judge('src/calls/event-lines.ts', COMPILER, [["rendered.status === 'applied'", 'true']]),
  ...judge('src/calls/past-basket.ts', 'Only the question whether a venue accepts a basket depends on it.', [
    ['true', 'false'],
  ]),
  ...judge('src/calls/result.ts', 'The last byte of a body names nothing.', [['start < 0', 'false']]),
  ...judge('src/calls/result.ts', 'What is missing is no JSON either.', [['literal === undefined', 'false']]),
  ...judge('src/calls/result.ts', 'Nothing is returned either way.', [['{ return undefined; }', '{}']]),
  ...judge('src/calls/situation.ts', FAST_PATH, [['!hasCommonLimits', 'false']]),
  ...judge('src/calls/stored/kept-basket.ts', FAST_PATH, [
    ['known', 'false'],
    ['namesOfIndex.set(index, names);', ';'],
  ]),
  ...judge('src/calls/stored/kept-basket.ts', 'A text names no field of a line.', [['[]', '["Stryker was here"]']]),
  ...judge('src/calls/stored/bytes.ts', 'A digit below 0 is none either.', [['code >= DIGIT_0', 'true']]),
  ...judge('src/calls/stored/stored-answer.ts', 'Nothing is returned either way.', [['{ return undefined; }', '{}']]),
  ...judge('src/calls/stored/stored-answer.ts', 'Bytes of another length have another checksum.', [
    ['answer.length !== length', 'false'],
  ]),
];
