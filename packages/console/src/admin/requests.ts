import { isUuidInAnyCase } from '@loyalty/contract/headers';
import { findCalculation } from '../../../../src/store/find-calculation.ts';
import { describeCalculation } from './calculations.ts';
import { notAllowed } from './invalid-request.ts';
import { describeRefusal, findByRequest, KEPT_REQUESTS } from './look-up.ts';
import { type AdminRoute, answered, refused } from './route.ts';

/** `GET /admin/requests/{requestId}`: what became of one call, for whoever sent it. */
export const readRequestRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/requests/{requestId}',
  role: 'read',
  alsoFor: ['vendor', 'pos'],
  operationId: 'readRequest',
  summary: 'What became of a call',
  description: `By the \`X-Request-Id\` that was sent, or that the answer had: why the call was refused, or its calculation with its story up to now. Known are ${KEPT_REQUESTS}. It tells neither a loyalty ID nor why a basket has its price. A request ID is a random number, so that only its caller can name it.`,
  answerSchema: 'FoundRequest',
  failures: { invalid: 'No request ID.', notFound: 'No such request is known any more, or it never arrived.' },
  async handle(administration, { parameters }) {
    const { requestId = '' } = parameters;
    if (!isUuidInAnyCase(requestId)) {
      throw notAllowed('requestId', requestId, 'a UUID');
    }
    const { calculationId, refusal } = await findByRequest(administration, requestId);
    const { store } = administration.current();
    const record = calculationId === undefined ? undefined : await findCalculation(store, calculationId);
    const audit = { found: requestId, calculationId, member: record?.member };
    if (!refusal && !record) {
      return refused('notFound', `Request ${requestId} is not known: known are ${KEPT_REQUESTS}.`, audit);
    }
    return answered(
      {
        requestId,
        ...(refusal && { refusal: describeRefusal(refusal) }),
        ...(record && { calculation: await describeCalculation(administration.current(), record) }),
      },
      { audit },
    );
  },
};
