import { explainBasket } from '../../calls/dry-run.ts';
import { parseDateTime } from '../../contract/date-time.ts';
import { type AdminRoute, answered, refused } from './route.ts';

/** `POST /admin/explain`: the dry run of a basket call. */
export const explainRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/explain',
  role: 'read',
  action: 'explain',
  operation: {
    operationId: 'explainBasket',
    summary: 'Explain how a basket would be answered',
    description:
      'Prices the body of a basket call with the member and its limits as they are now, and says why, benefit by benefit and line by line; every minor unit of difference has its line and its benefit. Reserves nothing and writes nothing. What the calculation itself holds counts as free, so a basket that was answered can be explained again.',
    query: {
      at: 'RFC 3339: takes the place of the basket’s `requestedAt`, and is believed however far it is from now.',
    },
    requestSchema: 'BasketRequest',
    answerSchema: 'Explained',
    failures: {
      invalid: 'The basket is refused as the public interface would refuse it, with its code.',
      refused: 'The basket is refused as the public interface would refuse it, with its code.',
    },
  },
  async handle(administration, call) {
    const at = call.query.get('at') ?? undefined;
    if (at !== undefined && parseDateTime(at) === undefined) {
      // A plus sign in a query means a blank, and the offset of a time contains one.
      return refused('invalid', `at: found ${JSON.stringify(at)}, allowed: an RFC 3339 date-time, + written as %2B`);
    }
    const explained = await explainBasket(administration.current(), call.body, at);
    const audit = { member: explained.member };
    if (explained.kind === 'explained') {
      const { response, explanation } = explained;
      const { calculationId } = response;
      return answered({ response, explanation }, { audit: { ...audit, calculationId } });
    }
    const { refusal, fault } = explained;
    if (fault !== undefined) administration.log.error({ requestId: call.requestId, fault }, 'fault');
    const { code, message, details } = refusal;
    return { status: refusal.status, json: { error: { code, message, details } }, audit };
  },
};
