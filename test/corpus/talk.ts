/** One conversation with a service: what it says under names that never change, and the record of what it is answered. */
import { randomUUID } from 'node:crypto';
import { memberToken } from '../../src/store/keys.ts';
import { ask, memberPath } from '../ops/admin-client.ts';
import { Answer } from '../support/answer.ts';
import { basketOf, type LineWords } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, type CallOptions, SALE_PATH } from '../support/caller.ts';
import { sleep, until } from '../support/wait.ts';
import type { BasketBody, SaleBody } from '../support/wire.ts';
import { contextOf } from './configuration.ts';
import type { Stage } from './stage.ts';
import { digestOf, readableBody, readableHeaders, withoutInstants } from './volatile.ts';

/** A Wednesday two years back: no period of a limit is still open, whenever the corpus is played. */
const REQUESTED_AT = '2024-11-20T12:00:00+01:00';
const MOST_REFUSALS = 20;

export interface SendOptions extends CallOptions {
  readonly path?: string;
  /** True where 503 is the answer that is looked for; any other is the machine's, and the call is sent again. */
  readonly is503?: boolean;
}

interface Member {
  readonly programmeId: string;
  readonly loyaltyId: string;
}

export type Conversation = (talk: Talk) => Promise<void>;
/** Conversations of one theme by title. */
export type Theme = Readonly<Record<string, Conversation>>;

export class Talk {
  readonly stage: Stage;
  readonly title: string;
  readonly lines: string[] = [];
  /** Calculation IDs by their labels. */
  readonly calculations = new Map<string, string>();
  readonly members = new Map<string, Member>();
  /** Further texts by which something in Redis is known to be of this conversation, such as benefits that no other uses. */
  readonly marks: string[] = [];
  readonly #bodies = new Map<string, number>();
  readonly #answered = new Set<string>();
  #requests = 0;
  #names: ReadonlyMap<string, string> | undefined;

  constructor(stage: Stage, title: string) {
    this.stage = stage;
    this.title = title;
  }

  /** Writes a member of the club who has these grants, under a loyalty ID of this conversation alone. */
  async member(label: string, grants: unknown[] = [], more: Record<string, unknown> = {}): Promise<void> {
    const { programmeId = 'club', loyaltyId = this.#loyaltyId(label), ...words } = more as Partial<Member>;
    this.members.set(label, { programmeId, loyaltyId });
    const reply = await this.admin(`PUT ${memberPath(loyaltyId, programmeId)}`, {
      ...{ status: 'active', grants },
      ...words,
    });
    if (reply.status !== 200) throw new Error(`member ${label}: ${JSON.stringify(reply.body)}`);
  }

  /** The loyalty ID of a label; one that was never written is a member whom nobody knows. */
  loyaltyId(label: string): string {
    const known = this.members.get(label);
    if (known) return known.loyaltyId;
    const loyaltyId = this.#loyaltyId(label);
    this.members.set(label, { programmeId: 'club', loyaltyId });
    return loyaltyId;
  }

  /** The path of a member on the operations port. */
  path(label: string): string {
    return memberPath(this.loyaltyId(label), this.members.get(label)!.programmeId);
  }

  /** The calculation ID of a label. */
  id(label: string): string {
    const known = this.calculations.get(label) ?? this.#uuid(`calculation ${label}`);
    this.calculations.set(label, known);
    return known;
  }

  basket(
    label: string,
    member: string,
    lines: readonly LineWords[] = [{}],
    more: Partial<BasketBody> = {},
  ): BasketBody {
    const loyaltyId = this.loyaltyId(member);
    const context = contextOf(this.members.get(member)!.programmeId);
    return basketOf(lines, {
      ...{ calculationId: this.id(label), loyaltyId, requestedAt: REQUESTED_AT, context },
      ...more,
    });
  }

  /** Sends any body and records the answer. */
  async send(body: unknown, options: SendOptions = {}): Promise<Answer> {
    const requestId = this.#uuid(`request ${++this.#requests}`);
    const answer = await this.exchange(body, {
      ...options,
      headers: { 'X-Request-Id': requestId, ...options.headers },
    });
    this.note(`> ${this.#describe(body, options)}`);
    this.record(answer, requestId);
    return answer;
  }

  /** A basket that is made and sent at once. */
  ring(
    label: string,
    member: string,
    lines?: readonly LineWords[],
    more: Partial<BasketBody> = {},
    options: SendOptions = {},
  ): Promise<Answer> {
    return this.send(this.basket(label, member, lines, more), options);
  }

  /** The sale event of a calculation. */
  sell(label: string, status = 'applied', more: Partial<SaleBody> = {}, options: SendOptions = {}): Promise<Answer> {
    const body: SaleBody = {
      ...{ calculationId: this.id(label), status },
      ...(status !== 'cancelled' && { transactionId: `receipt-${this.id(label).slice(0, 8)}` }),
      ...(status === 'failed' && { failureReason: 'timeout' }),
      ...more,
    };
    return this.send(body, { path: SALE_PATH, ...options });
  }

  /** Sends one body over so many connections at once, and records that all had one answer, of which one was the first. */
  async crowd(body: unknown, count: number, options: SendOptions = {}): Promise<void> {
    const sent = { headers: { 'X-Request-Id': this.#uuid(`request ${++this.#requests}`) }, ...options };
    const answers = await Promise.all(Array.from({ length: count }, () => this.exchange(body, sent)));
    const texts = [...new Set(answers.map(({ status, text }) => `${status} ${text}`))];
    this.note(`> ${count} × ${this.#describe(body, options)}`);
    this.note(`< ${answers.filter((answer) => !answer.isReplayed).length} not replayed`);
    for (const text of texts.sort()) this.note(`  ${text}`);
  }

  /** Asks the operations port and records the answer without what is of the moment. */
  async ops(call: string, body?: unknown): Promise<Record<string, unknown>> {
    const reply = await this.admin(call, body, this.#uuid(`request ${++this.#requests}`));
    this.note(`? ${call}`, `! ${reply.status} ${withoutInstants(JSON.stringify(reply.body))}`);
    return reply.body;
  }

  /** What is left of the limits over all members of a programme. */
  async commonLimits(programmeId: string): Promise<void> {
    const { body } = await this.admin('GET /admin/limits');
    const limits = body['limits'] as { programmeId: string }[];
    const own = limits.filter((limit) => limit.programmeId === programmeId);
    this.note(`? limits of ${programmeId}`, `! ${withoutInstants(JSON.stringify(own))}`);
  }

  /** Has the files of the configuration read again. */
  async reload(): Promise<void> {
    const { status, body } = await this.admin('POST /admin/configuration/reload');
    this.note(`? reload`, `! ${status} ${body.error?.message?.replace(/\/tmp\/[^/]*\//g, '') ?? ''}`);
  }

  /** Waits for what the service does by itself. */
  async untilState(label: string, state: string): Promise<void> {
    await until(`${label} to be ${state}`, async () => {
      const { body } = await this.admin(`GET /admin/calculations/${this.id(label)}`);
      return body['state'] === state;
    });
    this.note(`. <${label}> is ${state}`);
  }

  /** Waits until the service has told that grants of the past have ended, because what was used by then is told with it. */
  async untilGrantsEnded(): Promise<void> {
    const { client } = this.stage.redis;
    const tokens = [...this.members.values()].map(({ programmeId, loyaltyId }) => memberToken(programmeId, loyaltyId));
    await until('the grants to have ended', async () => {
      const due = await client.zrange('loyalty:staging:grants-due', '0', `${Date.now()}`, 'BYSCORE');
      return !due.some((name) => tokens.some((token) => name.startsWith(token)));
    });
  }

  note(...lines: string[]): void {
    this.lines.push(...lines);
  }

  /** Records an answer; a body that this conversation has had before is not repeated. */
  record(answer: Answer, requestId?: string): void {
    const body = readableBody(answer, requestId).map((line) => `  ${line}`);
    const earlier = this.#bodies.get(body.join());
    if (earlier === undefined) this.#bodies.set(body.join(), this.#bodies.size + 1);
    this.note(`< ${answer.status} ${readableHeaders(answer, requestId)}`);
    this.note(...(earlier === undefined ? body : [`  the bytes of body ${earlier}`]));
  }

  /** One exchange that is not recorded. A call that a paused machine refused is sent again. */
  async exchange(body: unknown, options: SendOptions = {}): Promise<Answer> {
    const { path = BASKET_PATH, is503 = false, ...call } = options;
    const sent = `${path} ${digestOf(bytesOf(body))}`;
    let answer = await this.stage.nextCaller().send(path, body, call);
    for (let refusals = 1; answer.status === 503 && !is503 && refusals <= MOST_REFUSALS; refusals += 1) {
      await sleep(25 * refusals);
      answer = await this.stage.nextCaller().send(path, body, call);
      // What was refused may have been done all the same, and then this is the first answer to it.
      if (answer.status === 200 && !this.#answered.has(sent)) answer = asFirst(answer);
    }
    if (answer.status === 200) this.#answered.add(sent);
    return answer;
  }

  /** Everything by which an entry of Redis is known to be of this conversation, with its name in the recording; once it is over. */
  names(): ReadonlyMap<string, string> {
    if (this.#names) return this.#names;
    const names = new Map(this.marks.map((mark) => [mark, mark]));
    for (const [label, id] of this.calculations) names.set(id, `<${label}>`);
    for (const [label, { programmeId, loyaltyId }] of this.members) {
      const token = memberToken(programmeId, loyaltyId);
      names.set(token, `M<${label}>`).set(this.stage.pseudonymOf(token), `P<${label}>`);
    }
    this.#names = names;
    return names;
  }

  /** One call of the operations port that is not recorded. */
  async admin(call: string, body?: unknown, requestId: string = randomUUID()) {
    for (let refusals = 0; ; refusals += 1) {
      const reply = await ask(this.stage.service.opsUrl, call, { requestId, ...(body !== undefined && { body }) });
      if (reply.status !== 503 || refusals === MOST_REFUSALS) return reply;
    }
  }

  #describe(body: unknown, { path = BASKET_PATH, method = 'POST', headers = {} }: SendOptions): string {
    const bytes = bytesOf(body);
    const id = headers['Idempotency-Key'] ?? (body as Partial<BasketBody> | null)?.calculationId;
    const label = [...this.calculations].find(([, known]) => known === id)?.[0] ?? '?';
    return `${method} ${path} <${label}> ${bytes.length} bytes ${digestOf(bytes).slice(0, 8)}`;
  }

  #loyaltyId(label: string): string {
    return `${label}.${digestOf(this.title).slice(0, 8)}`;
  }

  #uuid(name: string): string {
    const hex = digestOf(`${this.title}\n${name}`);
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `8${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join('-');
  }
}

/** An answer as it was before its call was sent again. */
function asFirst({ status, headers, text }: Answer): Answer {
  const first = text === '{"result":"duplicate"}' ? '{"result":"recorded"}' : text;
  return new Answer(
    status,
    headers.filter(([name]) => !/^idempotent-replayed$/i.test(name)),
    Buffer.from(first),
  );
}
