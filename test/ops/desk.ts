/** What tests of the administration do again and again: the calls of an operator, and a till at the same service. */
import { expect } from 'vitest';
import type { Answer } from '../support/answer.ts';
import { basketOf, type LineWords, saleOf } from '../support/baskets.ts';
import type { Stage } from '../support/service.ts';
import type { AppliedBody, BasketBody, SaleBody } from '../support/wire.ts';
import { type AdminReply, type AnyBody, askPatiently, memberPath } from './admin-client.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A basket that was answered. */
export interface RungUp {
  readonly basket: BasketBody;
  readonly calculationId: string;
  readonly reply: Answer;
  readonly status: string;
  /** Undefined where no benefit applied. */
  readonly totals: AppliedBody['totals'] | undefined;
}

export function deskOf(stage: Stage) {
  /** As patient as the till, and counted with its calls. */
  const call = <T = AnyBody>(words: string, body?: unknown, options: object = {}): Promise<AdminReply<T>> => {
    const { seen } = stage.caller;
    seen.answers += 1;
    const refuse = () => {
      seen.refusals += 1;
    };
    return askPatiently<T>(stage.service.opsUrl, words, body === undefined ? options : { ...options, body }, refuse);
  };

  /** The body of an answer that has to be 200. */
  const get = async <T = AnyBody>(path: string): Promise<T> => {
    const { status, body } = await call<T>(`GET ${path}`);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };

  /** The status of a call, and the message of its error. */
  const refusalOf = async (words: string, body?: unknown, options: object = {}): Promise<[number, string]> => {
    const reply = await call(words, body, options);
    return [reply.status, reply.body.error.message];
  };

  /** Makes an active member, or replaces it. */
  const put = (loyaltyId: string, grants: readonly unknown[] = [], more: object = {}) =>
    call(`PUT ${memberPath(loyaltyId)}`, { status: 'active', grants, ...more });

  /** Rings a basket up, by default of one line of 100.00. */
  const ringUp = async (
    loyaltyId: string,
    more: Partial<BasketBody> = {},
    lines: readonly LineWords[] = [{}],
  ): Promise<RungUp> => {
    const basket = basketOf(lines, { loyaltyId, ...more });
    const reply = await stage.caller.basket(basket);
    const { status, totals } = reply.json<AppliedBody>();
    return { basket, calculationId: basket.calculationId, reply, status, totals };
  };

  /** Tells the outcome of a basket. */
  const tell = (calculationId: string, status = 'applied', more: Partial<SaleBody> = {}) =>
    stage.caller.sale(saleOf(calculationId, status, more));

  /** Rings a basket up and tells its outcome. */
  const sell = async (
    loyaltyId: string,
    more: Partial<BasketBody> = {},
    { lines = [{}], status = 'applied', ...event }: Partial<SaleBody> & { lines?: readonly LineWords[] } = {},
  ): Promise<RungUp> => {
    const rung = await ringUp(loyaltyId, more, lines);
    expect([rung.reply.status, (await tell(rung.calculationId, status, event)).status]).toEqual([200, 200]);
    return rung;
  };

  /** Takes a unit of the first line back. */
  const takeBack = (calculationId: string, returnId: string) =>
    call<{ refund: number }>('POST /admin/returns', {
      calculationId,
      returnId,
      lines: [{ lineId: 'line-1', quantity: 1 }],
    });

  return { call, get, refusalOf, put, ringUp, tell, sell, takeBack };
}
