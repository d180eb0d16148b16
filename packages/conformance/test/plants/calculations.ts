/** Violations over several calls: idempotency, sale events, supersession, reservations. */
import { randomUUID } from 'node:crypto';
import {
  bodyOf,
  type Json,
  lenient,
  onAnswer,
  onHeaders,
  ownAnswer,
  ownRefusal,
  type Passing,
  type Plant,
  type Planted,
  withoutHeader,
} from '../planting-proxy.ts';

function keyOf({ path, headers }: Passing): string {
  return `${path} ${headers['idempotency-key']}`;
}

function isSale({ path }: Passing): boolean {
  return path.endsWith('/sale');
}

function isReplayed(headers: readonly [string, string][]): boolean {
  return headers.some(([name]) => name === 'Idempotent-Replayed');
}

/** A sale event's result under another name. */
function renamed(from: string, to: string): Plant {
  return onAnswer(200, ({ result }) => (result === from ? { result: to } : undefined));
}

export const CALCULATION_PLANTS: Planted = {
  'idempotency.replay': {
    'replays are not marked': onHeaders((headers) => withoutHeader(headers, 'Idempotent-Replayed')),
    'every answer calls itself replayed': onHeaders((headers) => [
      ...withoutHeader(headers, 'Idempotent-Replayed'),
      ['Idempotent-Replayed', 'true'],
    ]),
    'a replay is written anew, in another spelling': async (passing, { forward }) => {
      const answer = await forward(passing);
      if (!isReplayed(answer.headers)) return answer;
      return { ...answer, bytes: Buffer.from(JSON.stringify(JSON.parse(answer.bytes.toString()), null, 1)) };
    },
  },
  'idempotency.fresh-headers': {
    'a replay repeats the headers too': async (passing, { forward, memory }) => {
      const answer = memory.get(keyOf(passing)) ?? (await forward(passing));
      memory.set(keyOf(passing), answer);
      return answer;
    },
  },
  'idempotency.conflict': {
    'the key alone decides: another body gets the first answer': async (passing, { forward, memory }) => {
      const answer = await forward(passing);
      if (answer.status === 409) return memory.get(keyOf(passing)) ?? answer;
      memory.set(keyOf(passing), answer);
      return answer;
    },
    'the body is compared without its context': lenient(({ context, ...body }) => {
      const isOther = (context as Json | undefined)?.['cashRegisterId'] === 'another-till';
      return { ...body, context: isOther ? { ...(context as Json), cashRegisterId: 'conformance-kit' } : context };
    }),
  },
  'idempotency.refusals-pin-nothing': {
    'a refused key is burnt': async (passing, { forward, memory }) => {
      if (memory.has(keyOf(passing))) return ownRefusal(passing, 'idempotency_conflict');
      const answer = await forward(passing);
      if (answer.status >= 400) memory.set(keyOf(passing), answer);
      return answer;
    },
  },
  'idempotency.parallel': {
    'a call in flight makes its twin a conflict': async (passing, { forward, memory }) => {
      if (memory.has(keyOf(passing))) return ownRefusal(passing, 'idempotency_conflict');
      memory.set(keyOf(passing), ownAnswer(passing, 200, {}));
      const answer = await forward(passing);
      memory.delete(keyOf(passing));
      return answer;
    },
  },
  'sales.duplicate': {
    'a duplicate is recorded again': renamed('duplicate', 'recorded'),
  },
  'sales.unknown-calculation': {
    'an unknown calculation is recorded': renamed('unknown_calculation', 'recorded'),
  },
  'sales.conflict': {
    'another outcome is a duplicate': async (passing, { forward }) => {
      const answer = await forward(passing);
      return isSale(passing) && answer.status === 409 ? ownAnswer(passing, 200, { result: 'duplicate' }) : answer;
    },
  },
  'sales.fields': {
    'a sale without a transaction is recorded': lenient((body, passing) =>
      isSale(passing) ? { transactionId: randomUUID(), ...body } : body,
    ),
    'failed does not name its reason': lenient((body) =>
      body['status'] === 'failed' ? { failureReason: 'timeout', ...body } : body,
    ),
  },
  'sales.recorded': {
    'events are answered 202': async (passing, { forward }) => {
      const answer = await forward(passing);
      return isSale(passing) && answer.status === 200 ? { ...answer, status: 202 } : answer;
    },
  },
  'supersession.unknown': {
    'an unknown superseded calculation is a conflict': async (passing, { forward, memory }) => {
      const superseded = bodyOf(passing)['supersedesCalculationId'];
      if (superseded !== undefined && !memory.has(String(superseded))) {
        return ownRefusal(passing, 'idempotency_conflict');
      }
      const answer = await forward(passing);
      memory.set(String(bodyOf(passing)['calculationId']), answer);
      return answer;
    },
  },
  'reservations.released-by-supersession': {
    'supersession is ignored': lenient(({ supersedesCalculationId: _, ...body }) => body),
  },
  'reservations.released-by-cancellation': {
    'cancellations are recorded and forgotten': (passing, { forward }) =>
      bodyOf(passing)['status'] === 'cancelled'
        ? Promise.resolve(ownAnswer(passing, 200, { result: 'recorded' }))
        : forward(passing),
  },
};
