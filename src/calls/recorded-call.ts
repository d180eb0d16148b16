import { removeUnknownFields } from '@loyalty/contract/basket/schema';
import { sharePartsOf } from '@loyalty/engine/offers/shares';
import type { LimitedUse, Member } from '@loyalty/engine/types';
import { isSampled, type RecordingOptions, renderEnd, renderRecord } from '../recording/record.ts';
import type { RenderedAnswer } from './answer.ts';
import type { CallFacts } from './call.ts';
import type { ReadCall } from './read-call.ts';

/** What a basket was priced with, beside itself. */
export interface Circumstances {
  readonly configuration: string;
  readonly member: Member | undefined;
  readonly uses: readonly LimitedUse[];
  readonly available: ReadonlyMap<string, number>;
  readonly clockOffsetMs: number;
}

/**
 * The lines that the recording gets of a committed call: its record, and the end of the calculation that it supersedes, each
 * if it is in the sample. The answer is owed whatever happens here, so a failure is counted and no more.
 */
export function recordLines(
  recording: RecordingOptions,
  calculation: ReadCall,
  circumstances: Circumstances,
  rendered: RenderedAnswer,
  facts: CallFacts,
): string {
  const { calculationId, supersedesCalculationId } = calculation.head;
  try {
    const isRecorded = isSampled(recording, calculationId);
    const isEndRecorded = supersedesCalculationId !== undefined && isSampled(recording, supersedesCalculationId);
    const record = isRecorded ? recordOf(recording, calculation, circumstances, rendered) : '';
    if (!isEndRecorded) return record;
    return record + renderEnd({ calculationId: supersedesCalculationId, kind: 'superseded', by: calculationId });
  } catch {
    facts.unrecorded = true;
    return '';
  }
}

function recordOf(
  recording: RecordingOptions,
  { basket, venue }: ReadCall,
  circumstances: Circumstances,
  { status, total }: RenderedAnswer,
): string {
  const answer = { status, total: total ?? basket.totals.total };
  const { programme } = venue;
  const shareParts = circumstances.member && sharePartsOf(programme, circumstances.member);
  return renderRecord(recording, {
    ...{
      ...circumstances,
      basket: removeUnknownFields(basket),
      programmeId: programme.programmeId,
      shareParts,
      answer,
    },
  });
}
