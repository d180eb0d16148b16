import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { AppliedResponse } from '@loyalty/contract/basket-response';
import { ERRORS, type ErrorCode, HTTP_OK } from '@loyalty/contract/errors';
import type { SaleEvent } from '@loyalty/contract/sale';
import type { Baskets } from './baskets.ts';
import type { EarlyCalls } from './early.ts';
import { describe, type Exchange, errorCode, fieldOf, isRecord } from './exchange.ts';
import type { Holds } from './holds.ts';
import type { KitOptions } from './options.ts';
import { BASKET_PATH, SALE_PATH, type Sending, type Target } from './target.ts';

/** One check of the contract. `run` reports its findings through the session; an exception is a failure too. */
export interface Check {
  /** `group.rule`, stable: reports and certificates are compared by it. */
  readonly name: string;
  /** Section of the interface that has the rule; `decision` where it is the service's own (docs/decisions.md). */
  readonly section: string;
  readonly title: string;
  readonly run: (session: Session) => Promise<void>;
  /** Why the check cannot run with these options; undefined when it can. */
  readonly skippedBecause?: (options: KitOptions) => string | undefined;
}

/** The exchanges, expectations and findings of one check. */
export class Session {
  readonly options: KitOptions;
  readonly baskets: Baskets;
  /** The calls of the run's beginning; undefined when no check that is asked for repeats them. */
  readonly early: EarlyCalls | undefined;
  /** The faults, one sentence each. */
  readonly failures: string[] = [];
  /** The answers in few words, for the report. */
  readonly seen: string[] = [];
  /** Why the check says nothing about the deployment, found out while it ran. */
  notShown: string | undefined;
  /** Calculations that hold a limited benefit. */
  readonly holds: Holds;
  readonly #target: Target;

  constructor(options: KitOptions, baskets: Baskets, target: Target, holds: Holds, early?: EarlyCalls) {
    this.options = options;
    this.holds = holds;
    this.baskets = baskets;
    this.#target = target;
    this.early = early;
  }

  /** Drops the connections, which a restarted deployment has closed. */
  reconnect(): void {
    this.#target.reconnect();
  }

  /** The status of a basket call that nobody judges; rejects without an answer. */
  probe(): Promise<number> {
    return this.#target.probe(this.baskets.of());
  }

  /** True for the service double, which answers some things otherwise by design, and shows its table to whoever asks. */
  async isDouble(): Promise<boolean> {
    return Array.isArray(await this.#target.look('/double/misbehaviours').catch(() => undefined));
  }

  /** Sends anything to any path. */
  async send(path: string, body: unknown, sending: Sending = {}): Promise<Exchange> {
    const exchange = await this.#target.send(path, body, sending);
    this.seen.push(describe(exchange));
    return exchange;
  }

  /** A basket call; the body may be wrong in any way. */
  basket(body: unknown, sending: Sending = {}): Promise<Exchange> {
    return this.send(BASKET_PATH, body, sending);
  }

  sale(event: SaleEvent | Record<string, unknown>, sending: Sending = {}): Promise<Exchange> {
    return this.send(SALE_PATH, event, sending);
  }

  expect(isAsExpected: boolean, otherwise: string): void {
    if (!isAsExpected) this.failures.push(otherwise);
  }

  /** A refusal with this code, and where it tells one, about this field. `about` names the case in the report. */
  expectRefusal(
    exchange: Exchange,
    code: ErrorCode,
    about: string,
    statuses = [ERRORS[code].status] as number[],
  ): void {
    const isRefused = statuses.includes(exchange.status) && errorCode(exchange) === code;
    this.expect(isRefused, `${about}: expected ${statuses.join(' or ')} ${code}, saw ${describe(exchange)}`);
  }

  /** A `200` basket answer with this status. */
  expectStatus(exchange: Exchange, status: string, about: string): boolean {
    const isRight = exchange.status === HTTP_OK && fieldOf(exchange, 'status') === status;
    this.expect(isRight, `${about}: expected ${HTTP_OK} ${status}, saw ${describe(exchange)}`);
    return isRight;
  }

  /** Any `200` basket answer, of whatever status: the request was in order. */
  expectAccepted(exchange: Exchange, about: string): boolean {
    const isRight = exchange.status === HTTP_OK && typeof fieldOf(exchange, 'status') === 'string';
    this.expect(isRight, `${about}: expected ${HTTP_OK}, saw ${describe(exchange)}`);
    return isRight;
  }

  expectResult(exchange: Exchange, result: string, about: string): void {
    const isRight = exchange.status === HTTP_OK && fieldOf(exchange, 'result') === result;
    this.expect(isRight, `${about}: expected ${HTTP_OK} ${result}, saw ${describe(exchange)}`);
  }

  /** Sends a basket that has to be `applied`; undefined, and a failure, when it is not. */
  async applied(basket: BasketRequest, about: string): Promise<AppliedResponse | undefined> {
    const exchange = await this.basket(basket);
    if (!this.expectStatus(exchange, 'applied', about) || !isRecord(exchange.body)) return undefined;
    return Array.isArray(exchange.body['lines']) ? (exchange.body as unknown as AppliedResponse) : undefined;
  }
}
