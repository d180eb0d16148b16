import { loadEnvironmentFrom } from '../../../../src/programme/load.ts';
import type { EnvironmentSource } from '../../../../src/programme/source.ts';
import type { LineBatch } from '../ndjson/line-batches.ts';
import { decodeLine, MAX_LINE_BYTES } from '../ndjson/read-lines.ts';
import { type BasketLine, readBasketLine } from './basket-line.ts';
import { type EndTable, findFate, isEndLine, readEndLine } from './ends.ts';
import { type MemberDirectory, rehearse } from './rehearse.ts';
import { addBasket, type CountedFate, type Difference, emptyTally, keepMost, type Tally } from './tally.ts';

/**
 * A rehearsal thread's start data. The thread compiles both programmes itself, because compiled functions cannot be
 * cloned.
 */
export interface BacktestWork {
  readonly current: EnvironmentSource;
  readonly draft: EnvironmentSource;
  readonly members: MemberDirectory;
  /** How the calculations of the input ended. */
  readonly ends: EndTable;
}

/** The result of a batch. */
export interface BatchResult {
  readonly tally: Tally;
  /** A line of NDJSON per basket that differs. */
  readonly differences: string;
  readonly malformed: readonly MalformedLine[];
}

export interface MalformedLine {
  readonly line: number;
  readonly reason: string;
}

const LINE_FEED = 0x0a;

/** Creates the function that rehearses one batch of lines, once per thread. Throws `ConfigurationError`. */
export function createBatchRunner({ current, draft, members, ends }: BacktestWork): (batch: LineBatch) => BatchResult {
  const [now, then] = [current, draft].map(loadEnvironmentFrom);
  if (!now || !then) throw new Error('assertion failed: two programmes');
  return ({ bytes, firstLine, tooLong }) => {
    const tally = emptyTally();
    const differences: Difference[] = [];
    const malformed: MalformedLine[] = [];
    for (const line of tooLong) malformed.push({ line, reason: `longer than ${MAX_LINE_BYTES} bytes` });
    for (const [line, text] of linesOf(Buffer.from(bytes), firstLine)) {
      if (text !== undefined && isEndLine(text)) {
        if (!readEndLine(text)) malformed.push({ line, reason: 'end: expected how a calculation ended' });
        continue;
      }
      const read = text === undefined ? { fault: 'no UTF-8' } : readBasketLine(text);
      if (read.fault !== undefined) {
        malformed.push({ line, reason: read.fault });
        continue;
      }
      const fate = fateOf(ends, read.value);
      tally.fates[fate] += 1;
      if (fate !== 'sold' && fate !== 'supposed') continue;
      const rehearsal = rehearse(read.value, now, then, members);
      if ('unpriced' in rehearsal) {
        tally.unpriced.set(rehearsal.unpriced, (tally.unpriced.get(rehearsal.unpriced) ?? 0) + 1);
        continue;
      }
      const difference = addBasket(tally, rehearsal.rehearsed, line, read.value.record?.sample);
      if (difference) differences.push(difference);
    }
    keepMost(tally.most, differences);
    return { tally, differences: differences.map((each) => `${JSON.stringify(each)}\n`).join(''), malformed };
  };
}

/** A basket whose end was not recorded is supposed to be a sale, unless another basket of the input superseded it. */
function fateOf(ends: EndTable, { basket, record }: BasketLine): CountedFate {
  const isFollowed = record?.sample !== undefined;
  return findFate(ends, basket.calculationId) ?? (isFollowed ? 'unsold' : 'supposed');
}

/** Numbered lines as text, undefined for a line that is not UTF-8; empty lines are skipped. */
function* linesOf(bytes: Buffer, firstLine: number): Generator<readonly [line: number, text: string | undefined]> {
  let [line, from] = [firstLine, 0];
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
    if (at > from) yield [line, decodeLine(bytes.subarray(from, at))];
    line += 1;
    from = at + 1;
  }
}
