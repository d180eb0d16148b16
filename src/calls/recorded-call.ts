import { removeUnknownFields } from '@loyalty/contract/basket/schema';
import { sharePartsOf } from '@loyalty/engine/offers/shares';
import { isSampled, type RecordingOptions, renderEnd, renderRecord } from '../recording/record.ts';
import type { RenderedAnswer } from './answer.ts';
import type { Recording } from './call.ts';
import type { Circumstances } from './circumstances.ts';
import { countUsed } from './pricing.ts';
import type { ReadCall } from './read-call.ts';

/** The recording of calls. The answer is owed whatever happens here, so a failure is counted and no more. */
export function recordCalls(options: RecordingOptions): Recording {
  return {
    ofBasket: (configuration, call, circumstances, answer) => {
      const { calculationId, supersedesCalculationId } = call.basket;
      try {
        const isRecorded = isSampled(options, calculationId);
        const isEndRecorded = supersedesCalculationId !== undefined && isSampled(options, supersedesCalculationId);
        const lines: string[] = [];
        if (isRecorded) lines.push(recordOf(options, configuration, call, circumstances, answer));
        if (isEndRecorded) {
          lines.push(renderEnd({ calculationId: supersedesCalculationId, kind: 'superseded', by: calculationId }));
        }
        return lines.length === 0 ? { kind: 'none' } : { kind: 'lines', lines: lines.join('') };
      } catch {
        return { kind: 'failed' };
      }
    },
    ofSale: (calculationId, status) =>
      isSampled(options, calculationId) ? renderEnd({ calculationId, kind: 'sale', status }) : undefined,
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
    used: countUsed(uses, available),
    clockOffsetMs,
    answer: { status, total },
  });
}
