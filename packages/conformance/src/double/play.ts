import type { ServerResponse } from 'node:http';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { HTTP_OK, refuse } from '@loyalty/contract/errors';
import { deliver, jsonParcel, type Parcel, refusalParcel, send } from './delivery.ts';
import { Needs, type SaleMisbehaviour } from './misbehaviour.ts';

/** The call that is misplayed. `honest` makes the right answer, and with it the double remembers the call. */
export interface Played {
  readonly honest: () => Parcel;
  readonly headers: Record<string, string>;
  readonly requestId: string;
  readonly basket: BasketRequest | undefined;
}

/** Answers a call as a row of the table says. */
export async function play(act: SaleMisbehaviour['act'], response: ServerResponse, call: Played): Promise<void> {
  const { honest, headers, requestId, basket } = call;
  switch (act.kind) {
    case 'body':
      return send(response, spoiled(act.spoil, basket!, headers, requestId));
    case 'result':
      return send(response, jsonParcel({ result: act.result }, headers));
    case 'bytes': {
      const parcel = honest();
      return send(response, { ...parcel, headers: { ...headers, ...act.headers }, body: act.bytes(parcel.body) });
    }
    case 'refusal': {
      const refusal = refuse(act.code, act.status === undefined ? {} : { status: act.status });
      return send(response, refusalParcel(refusal, requestId, headers));
    }
    case 'foreign': {
      const page = { 'Content-Type': 'text/html', ...act.headers };
      return send(response, { status: act.status, headers: page, body: Buffer.from('<h1>No service here</h1>') });
    }
    case 'delivery': {
      // The double remembers the call only if some part of its answer is sent.
      const isSilent = act.how === 'hang' || act.how === 'reset' || act.how === 'close' || act.how === 'garbage';
      return deliver(response, act.how, isSilent ? { status: HTTP_OK, headers, body: Buffer.alloc(0) } : honest());
    }
    case 'connection':
      return send(response, honest());
  }
}

/** A spoiled body, or a 400 that says what the basket lacks. */
function spoiled(
  spoil: (request: BasketRequest) => unknown,
  basket: BasketRequest,
  headers: Record<string, string>,
  requestId: string,
): Parcel {
  try {
    return jsonParcel(spoil(basket), headers);
  } catch (error) {
    if (!(error instanceof Needs)) throw error;
    const refusal = refuse('invalid_request', { message: `This misbehaviour needs ${error.message}.` });
    return refusalParcel(refusal, requestId, headers);
  }
}
