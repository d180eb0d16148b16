import { loadEnvironmentFrom } from '../../../../src/programme/load.ts';
import type { EnvironmentSource } from '../../../../src/programme/source.ts';
import { decodeLine, type Line, MAX_LINE_BYTES } from '../ndjson/read-lines.ts';
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

/** A line of the input as a thread gets it: its text, or why it has none. */
export type TextLine = { readonly line: number } & ({ readonly text: string } | MalformedLine);

/** The result of a batch of lines. */
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

export function toTextLine({ number: line, bytes }: Line): TextLine {
  if (!bytes) return { line, reason: `longer than ${MAX_LINE_BYTES} bytes` };
  const text = decodeLine(bytes);
  return text === undefined ? { line, reason: 'no UTF-8' } : { line, text };
}

/** Creates the function that rehearses one batch of lines, once per thread. Throws `ConfigurationError`. */
export function createBatchRunner(work: BacktestWork): (lines: readonly TextLine[]) => BatchResult {
  const current = loadEnvironmentFrom(work.current);
  const draft = loadEnvironmentFrom(work.draft);
  return (lines) => {
    const tally = emptyTally();
    const differences: Difference[] = [];
    const malformed: MalformedLine[] = [];
    for (const read of lines) {
      const { line } = read;
      const basket = 'text' in read ? readLine(read.text) : { fault: read.reason };
      if (!basket) continue;
      if (basket.fault !== undefined) {
        malformed.push({ line, reason: basket.fault });
        continue;
      }
      const fate = fateOf(work.ends, basket.value);
      tally.fates[fate] += 1;
      if (fate !== 'sold' && fate !== 'supposed') continue;
      const rehearsal = rehearse(basket.value, current, draft, work.members);
      if ('unpriced' in rehearsal) {
        tally.unpriced.set(rehearsal.unpriced, (tally.unpriced.get(rehearsal.unpriced) ?? 0) + 1);
        continue;
      }
      const difference = addBasket(tally, rehearsal.rehearsed, line, basket.value.record?.sample);
      if (difference) differences.push(difference);
    }
    keepMost(tally.most, differences);
    return { tally, differences: differences.map((each) => `${JSON.stringify(each)}\n`).join(''), malformed };
  };
}

/** The basket of a line; undefined for an empty line, and for one that says how a calculation ended. */
function readLine(text: string): ReturnType<typeof readBasketLine> | undefined {
  if (text === '') return undefined;
  if (!isEndLine(text)) return readBasketLine(text);
  return readEndLine(text) ? undefined : { fault: 'end: expected how a calculation ended' };
}

/** A basket whose end was not recorded is supposed to be a sale, unless another basket of the input superseded it. */
function fateOf(ends: EndTable, { basket, record }: BasketLine): CountedFate {
  const isFollowed = record?.sample !== undefined;
  return findFate(ends, basket.calculationId) ?? (isFollowed ? 'unsold' : 'supposed');
}
