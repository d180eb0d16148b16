import { removeUnknownFields } from '@loyalty/contract/basket/schema';
import { sharePartsOf } from '@loyalty/engine/offers/shares';
import { isSampled, type RecordingOptions, renderEnd, renderRecord } from '../recording/record.ts';
import type { RenderedAnswer } from './answer.ts';
import type { Recording } from './call.ts';
import type { Circumstances } from './circumstances.ts';
import type { ReadCall } from './read-call.ts';

/** The recording of calls. The answer is owed whatever happens here, so a failure is counted and no more. */
export function recordCalls(options: RecordingOptions): Recording {
  return {
    ofBasket: (configuration, call, circumstances, answer) => {
      const { calculationId, supersedesCalculationId } = call.head;
      try {
        const isRecorded = isSampled(options, calculationId);
        const isEndRecorded = supersedesCalculationId !== undefined && isSampled(options, supersedesCalculationId);
        const record = isRecorded ? recordOf(options, configuration, call, circumstances, answer) : '';
        if (!isEndRecorded) return record;
        return record + renderEnd({ calculationId: supersedesCalculationId, kind: 'superseded', by: calculationId });
      } catch {
        return undefined;
      }
    },
    ofSale: (calculationId, status) =>
      isSampled(options, calculationId) ? renderEnd({ calculationId, kind: 'sale', status }) : '',
  };
}

function recordOf(
  options: RecordingOptions,
  configuration: string,
  { basket, venue: { programme } }: ReadCall,
  { member, requestedAt, uses, available, clockOffsetMs }: Circumstances,
  { status, total = basket.totals.total }: RenderedAnswer,
): string {
  return renderRecord(options, {
    configuration,
    basket: removeUnknownFields({ ...basket, requestedAt }),
    programmeId: programme.programmeId,
    member,
    shareParts: member && sharePartsOf(programme, member),
    uses,
    available,
    clockOffsetMs,
    answer: { status, total },
  });
}
