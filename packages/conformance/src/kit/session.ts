import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { AppliedResponse, BasketResponse } from '@loyalty/contract/basket-response';
import { ERRORS, type ErrorCode, HTTP_OK } from '@loyalty/contract/errors';
import type { SaleResult } from '@loyalty/contract/sale';
import type { Baskets } from './baskets.ts';
import type { EarlyCalls } from './early.ts';
import { describe, type Exchange, errorCode, fieldOf, isRecord } from './exchange.ts';
import type { KitOptions } from './options.ts';
import { BASKET_PATH, SALE_PATH, type Sending, type Target } from './target.ts';

/** One check of the contract. `run` reports its findings through the session; an exception is a failure too. */
export interface Check {
  /** Section of the interface that has the rule; `decision` where it is the service's own (docs/decisions.md). */
  readonly section: string;
  readonly title: string;
  readonly run: (session: Session) => Promise<void>;
  /** Why the check cannot run with these options; undefined when it can. */
  readonly skippedBecause?: (options: KitOptions) => string | undefined;
}

/** Checks by their names, `group.rule`, which are stable: reports and certificates are compared by them. */
export type Checks = Readonly<Record<string, Check>>;

/** The check of each row of a table, which is named as the row. */
export function checksOf<Row>(rows: Readonly<Record<string, Row>>, checkOf: (row: Row) => Check): Checks {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, checkOf(row)]));
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
  /** Calculations of the run that hold a limited benefit; what is left when the run ends is cancelled. */
  readonly holds: Set<string>;
  readonly #target: Target;

  constructor(options: KitOptions, baskets: Baskets, target: Target, holds: Set<string>, early?: EarlyCalls) {
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

  sale(event: object, sending: Sending = {}): Promise<Exchange> {
    return this.send(SALE_PATH, event, sending);
  }

  expect(isAsExpected: boolean, otherwise: string): void {
    if (!isAsExpected) this.failures.push(otherwise);
  }

  /** A refusal with this code, under its own status unless others are named. `about` names the case in the report. */
  expectRefusal(
    exchange: Exchange,
    code: ErrorCode,
    about: string,
    statuses: readonly number[] = [ERRORS[code].status],
  ): void {
    const isRefused = statuses.includes(exchange.status) && errorCode(exchange) === code;
    this.expect(isRefused, `${about}: expected ${statuses.join(' or ')} ${code}, saw ${describe(exchange)}`);
  }

  /** A `200` with this status of a basket, or result of a sale event; with any where none is named. */
  expectAnswer(exchange: Exchange, about: string, word?: string): boolean {
    const found = fieldOf(exchange, exchange.endpoint === 'sale' ? 'result' : 'status');
    const isRight = exchange.status === HTTP_OK && (word === undefined ? typeof found === 'string' : found === word);
    this.expect(isRight, `${about}: expected ${[HTTP_OK, word].join(' ').trim()}, saw ${describe(exchange)}`);
    return isRight;
  }

  /** Sends a basket whose request is in order: it is answered, whatever its status. */
  async accepted(body: unknown, about: string, sending?: Sending): Promise<Exchange> {
    const exchange = await this.basket(body, sending);
    this.expectAnswer(exchange, about);
    return exchange;
  }

  /** Sends a basket that has to be answered with this status. */
  async answered(basket: BasketRequest, status: BasketResponse['status'], about: string): Promise<Exchange> {
    const exchange = await this.basket(basket);
    this.expectAnswer(exchange, about, status);
    return exchange;
  }

  /** Sends a basket that has to be refused. */
  async refused(body: unknown, code: ErrorCode, about: string, sending?: Sending): Promise<void> {
    this.expectRefusal(await this.basket(body, sending), code, about);
  }

  /** Sends a sale event that has to be answered with this result. */
  async settled(event: object, result: SaleResult, about: string, sending?: Sending): Promise<void> {
    this.expectAnswer(await this.sale(event, sending), about, result);
  }

  /** Sends a sale event that has to be refused. */
  async refusedSale(event: object, code: ErrorCode, about: string, sending?: Sending): Promise<void> {
    this.expectRefusal(await this.sale(event, sending), code, about);
  }

  /** Sends a basket that has to be `applied`; undefined, and a failure, when it is not. */
  async applied(basket: BasketRequest, about: string): Promise<AppliedResponse | undefined> {
    const { body } = await this.answered(basket, 'applied', about);
    const isApplied = isRecord(body) && body['status'] === 'applied' && Array.isArray(body['lines']);
    return isApplied ? (body as unknown as AppliedResponse) : undefined;
  }
}
