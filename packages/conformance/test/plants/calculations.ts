/** Violations over several calls: idempotency, sale events, supersession, reservations. */
import { randomUUID } from 'node:crypto';
import {
  bodyOf,
  type Json,
  onAnswer,
  onHeaders,
  ownAnswer,
  ownRefusal,
  type Passing,
  type Plant,
  withBody,
  withoutHeader,
} from '../planting-proxy.ts';
import type { Planted } from './answers.ts';

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

export const CALCULATION_PLANTS: readonly Planted[] = [
  [
    'replays are not marked',
    'idempotency.replay',
    onHeaders((headers) => withoutHeader(headers, 'Idempotent-Replayed')),
  ],
  [
    'every answer calls itself replayed',
    'idempotency.replay',
    onHeaders((headers) => [...withoutHeader(headers, 'Idempotent-Replayed'), ['Idempotent-Replayed', 'true']]),
  ],
  [
    'a replay is written anew, in another spelling',
    'idempotency.replay',
    async (passing, { forward }) => {
      const answer = await forward(passing);
      if (!isReplayed(answer.headers)) return answer;
      return { ...answer, bytes: Buffer.from(JSON.stringify(JSON.parse(answer.bytes.toString()), null, 1)) };
    },
  ],
  [
    'a replay repeats the headers too',
    'idempotency.fresh-headers',
    async (passing, { forward, memory }) => {
      const answer = memory.get(keyOf(passing)) ?? (await forward(passing));
      memory.set(keyOf(passing), answer);
      return answer;
    },
  ],
  [
    'the key alone decides: another body gets the first answer',
    'idempotency.conflict',
    async (passing, { forward, memory }) => {
      const answer = await forward(passing);
      if (answer.status === 409) return memory.get(keyOf(passing)) ?? answer;
      memory.set(keyOf(passing), answer);
      return answer;
    },
  ],
  [
    'the body is compared without its context',
    'idempotency.conflict',
    (passing, tools) => {
      const body = bodyOf(passing);
      const context = body['context'] as Json | undefined;
      if (context?.['cashRegisterId'] !== 'another-till') return tools.forward(passing);
      return tools.forward(
        withBody(passing, tools, { ...body, context: { ...context, cashRegisterId: 'conformance-kit' } }),
      );
    },
  ],
  [
    'a refused key is burnt',
    'idempotency.refusals-pin-nothing',
    async (passing, { forward, memory }) => {
      if (memory.has(keyOf(passing))) return ownRefusal(passing, 409, 'idempotency_conflict');
      const answer = await forward(passing);
      if (answer.status >= 400) memory.set(keyOf(passing), answer);
      return answer;
    },
  ],
  [
    'a call in flight makes its twin a conflict',
    'idempotency.parallel',
    async (passing, { forward, memory }) => {
      if (memory.has(keyOf(passing))) return ownRefusal(passing, 409, 'idempotency_conflict');
      memory.set(keyOf(passing), ownAnswer(passing, 200, {}));
      const answer = await forward(passing);
      memory.delete(keyOf(passing));
      return answer;
    },
  ],
  ['a duplicate is recorded again', 'sales.duplicate', renamed('duplicate', 'recorded')],
  ['an unknown calculation is recorded', 'sales.unknown-calculation', renamed('unknown_calculation', 'recorded')],
  [
    'another outcome is a duplicate',
    'sales.conflict',
    async (passing, { forward }) => {
      const answer = await forward(passing);
      return isSale(passing) && answer.status === 409 ? ownAnswer(passing, 200, { result: 'duplicate' }) : answer;
    },
  ],
  [
    'a sale without a transaction is recorded',
    'sales.fields',
    (passing, tools) => {
      const body = bodyOf(passing);
      if (!isSale(passing) || body['transactionId'] !== undefined) return tools.forward(passing);
      return tools.forward(withBody(passing, tools, { ...body, transactionId: randomUUID() }));
    },
  ],
  [
    'failed does not name its reason',
    'sales.fields',
    (passing, tools) => {
      const body = bodyOf(passing);
      if (!isSale(passing) || body['status'] !== 'failed') return tools.forward(passing);
      return tools.forward(withBody(passing, tools, { failureReason: 'timeout', ...body }));
    },
  ],
  [
    'events are answered 202',
    'sales.recorded',
    async (passing, { forward }) => {
      const answer = await forward(passing);
      return isSale(passing) && answer.status === 200 ? { ...answer, status: 202 } : answer;
    },
  ],
  [
    'an unknown superseded calculation is a conflict',
    'supersession.unknown',
    async (passing, { forward, memory }) => {
      const superseded = bodyOf(passing)['supersedesCalculationId'];
      if (superseded !== undefined && !memory.has(String(superseded))) {
        return ownRefusal(passing, 409, 'idempotency_conflict');
      }
      const answer = await forward(passing);
      memory.set(String(bodyOf(passing)['calculationId']), answer);
      return answer;
    },
  ],
  [
    'supersession is ignored',
    'reservations.released-by-supersession',
    (passing, tools) => {
      const { supersedesCalculationId: superseded, ...body } = bodyOf(passing);
      return tools.forward(superseded === undefined ? passing : withBody(passing, tools, body));
    },
  ],
  [
    'cancellations are recorded and forgotten',
    'reservations.released-by-cancellation',
    (passing, { forward }) =>
      bodyOf(passing)['status'] === 'cancelled'
        ? Promise.resolve(ownAnswer(passing, 200, { result: 'recorded' }))
        : forward(passing),
  ],
];
