import cluster, { type Worker } from 'node:cluster';
import type { MetricObject } from 'prom-client';
import {
  type Answer,
  type AnswerTo,
  type GatewayMessage,
  type GatewayState,
  type GivenConfiguration,
  type PrimaryMessage,
  type Question,
  REPORT_INTERVAL_MS,
} from '../process/messages.ts';
import type { RefusalNote } from '../telemetry/recent-refusals.ts';

/** A gateway that is asked to end drains within this time. */
const STOP_PATIENCE_MS = 8000;

/** The primary looks at the reports as often as they come. */
export const TICK_MS = REPORT_INTERVAL_MS;
const TICKS_PER_SECOND = 1000 / TICK_MS;
/** A gateway that has started and has not reported for this long is silent. */
const SILENT_TICKS = 2 * TICKS_PER_SECOND;
/** A silent gateway keeps its share of the new connections until it is killed. */
const HUNG_TICKS = 10 * TICKS_PER_SECOND;
/** On a starved machine, loading the code takes many seconds, and a gateway that is killed for it begins again. */
const START_TICKS = 60 * TICKS_PER_SECOND;

/**
 * Node's options of a gateway. A large young generation collects garbage less often, and SIGUSR1 would open Node's debugger before
 * no-debugger.ts has run.
 */
export const NODE_OPTIONS = [
  '--disable-sigusr1',
  '--max-semi-space-size=32',
  '--min-semi-space-size=32',
  '--no-allocation-site-pretenuring',
];

/** Prepares the starts of gateways, which inherit the `descriptors` after their channel. */
export function setUpForks(descriptors: readonly number[]): void {
  cluster.setupPrimary({
    execArgv: [...new Set([...process.execArgv, ...NODE_OPTIONS])],
    args: [],
    serialization: 'advanced',
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', ...descriptors],
  });
}

/** How a gateway ended; `reason` is present where it could not be started at all. */
export interface End {
  readonly code?: number | null;
  readonly signal?: string | null;
  readonly reason?: string;
}

/** What a gateway is given at its start. */
export interface StartWith {
  /** Variables beside those of the primary. */
  readonly variables: Readonly<Record<string, string>>;
  readonly configuration: GivenConfiguration;
}

/** What a gateway's place hears of it, never before the constructor has returned. */
export interface Listeners {
  /** Its phase has changed; `before` is the last one. */
  readonly onPhase: (gateway: GatewayProcess, before: Phase) => void;
  /** It has been silent for so long that it will not come back by itself. */
  readonly onHung: (gateway: GatewayProcess) => void;
  /** Its last refusals have changed. */
  readonly onRefusals: () => void;
}

/** Why a gateway gave no answer. */
export type NoAnswer = 'ended' | 'silent';

/**
 * What a gateway does:
 *
 *     starting ─▶ standby ◀─▶ serving     serving: calls that reach it are answered; standby: they would be, and it takes no connections
 *        └──────▶ red ◀─────────┘         red: it would refuse calls, and says why
 *     silent                              from any of these: it reports no longer, and its share of the new connections waits in vain
 *     ended                               for good
 */
export type Phase = 'starting' | 'red' | 'standby' | 'serving' | 'silent' | 'ended';

/** What the primary has told a gateway last: whether it takes new connections, or that another one has taken its place. */
type Direction = 'listen' | 'pause' | 'leave';

let lastId = 0;

/** One gateway, with what it last reported. */
export class GatewayProcess {
  readonly number: number;
  readonly startedMs = performance.now();
  #phase: Phase = 'starting';
  #direction: Direction | undefined;
  #silentTicks = 0;
  #state: GatewayState | undefined;
  #metrics: readonly MetricObject[] = [];
  #refusals: readonly RefusalNote[] = [];
  #end: End | undefined;
  /** Resolves at its end. */
  readonly #ended = Promise.withResolvers<void>();
  readonly #listeners: Listeners;
  /** Undefined when the operating system refused to start the process. */
  readonly #worker: Worker | undefined;
  readonly #questions = new Map<number, (answer: Answer | NoAnswer) => void>();

  /** Starts the process in the place with this number. Never throws: a start that fails is an end with a `reason`. */
  constructor(number: number, { variables, configuration }: StartWith, listeners: Listeners) {
    [this.number, this.#listeners] = [number, listeners];
    const fail = (error: unknown): void => this.#takeEnd({ reason: (error as Error).message });
    try {
      const worker = cluster.fork({ ...variables, LOYALTY_GATEWAY: String(number) });
      const { process: child } = worker;
      // The event `error` also stands for a message or a signal that could not be sent, which ends nothing.
      worker.on('error', (error) => child.pid === undefined && fail(error));
      child.once('exit', (code, signal) => this.#takeEnd({ code, signal }));
      child.on('message', (message: GatewayMessage) => this.#hear(message));
      if (child.pid !== undefined) this.#worker = worker;
      this.send({ kind: 'start', configuration });
    } catch (error) {
      // Node reports some errors of a start by an event and throws others (ENOMEM).
      setImmediate(() => fail(error));
    }
  }

  get pid(): number | undefined {
    return this.#worker?.process.pid;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** What it reported last; undefined until it has started. */
  get state(): GatewayState | undefined {
    return this.#state;
  }

  get metrics(): readonly MetricObject[] {
    return this.#metrics;
  }

  get refusals(): readonly RefusalNote[] {
    return this.#refusals;
  }

  /** How it ended; undefined while it lives. */
  get end(): End | undefined {
    return this.#end;
  }

  /** True once another gateway has taken its place. */
  get isLeaving(): boolean {
    return this.#direction === 'leave';
  }

  /** True while it takes connections, whether it answers calls or refuses them. */
  get isListening(): boolean {
    return this.#phase !== 'ended' && this.#state?.isListening === true;
  }

  /** The reasons why it does not serve; empty when it does. */
  get reasons(): readonly string[] {
    const { phase } = this;
    if (phase === 'ended') return ['ended'];
    if (phase === 'silent') return [`no report for ${Math.floor(this.#silentTicks / TICKS_PER_SECOND)} s`];
    if (phase === 'starting' || phase === 'standby') return ['starting'];
    return Object.entries(this.#state?.red ?? {}).map(([name, reason]) => `${name}: ${reason}`);
  }

  /**
   * Counts a tick of the primary's timer without a report. Ticks and not seconds are counted: while the whole machine stood still
   * (a laptop's sleep, a paused virtual machine, SIGSTOP to all), the primary did not run either, and no gateway is blamed.
   */
  countTick(): void {
    if (this.#phase === 'ended') return;
    this.#silentTicks += 1;
    if (this.#state !== undefined && this.#silentTicks >= SILENT_TICKS) this.#become('silent');
    if (this.#silentTicks === (this.#state === undefined ? START_TICKS : HUNG_TICKS)) this.#listeners.onHung(this);
  }

  /** Has the gateway take new connections, or none. */
  direct(listens: boolean): void {
    const direction = listens ? 'listen' : 'pause';
    if (this.#state === undefined || this.isLeaving || this.#direction === direction) return;
    this.#direction = direction;
    this.send({ kind: 'listen', isWanted: listens });
  }

  /** Sends a message, if the process is there to take it. Never throws. */
  send(message: PrimaryMessage): void {
    if (this.#worker?.isConnected()) this.#worker.process.send(message, () => undefined);
  }

  /** Asks the gateway. Never rejects. `patienceMs` is how long it may take. */
  async ask<Asked extends Question>(question: Asked, patienceMs: number): Promise<AnswerTo<Asked> | NoAnswer> {
    if (this.#phase === 'ended' || !this.#worker?.isConnected()) return 'ended';
    lastId += 1;
    const id = lastId;
    const { promise, resolve } = Promise.withResolvers<Answer | NoAnswer>();
    const timer = setTimeout(() => resolve('silent'), patienceMs).unref();
    this.#questions.set(id, resolve);
    this.send({ ...question, id });
    const answer = await promise;
    clearTimeout(timer);
    this.#questions.delete(id);
    return answer as AnswerTo<Asked> | NoAnswer;
  }

  /** Tells it that another gateway has taken its place: it ends when its connections have gone over. */
  retire(): void {
    this.#direction = 'leave';
    this.send({ kind: 'retire' });
  }

  /** Ends it without its help: a process that is stopped or in an endless loop does not take SIGTERM. */
  kill(): void {
    this.#worker?.process.kill('SIGKILL');
  }

  /** Asks it to end, and ends it when it does not. Resolves after its end. Never rejects. */
  async stop(): Promise<void> {
    if (this.#phase === 'ended' || !this.#worker) return;
    this.#worker.process.kill('SIGTERM');
    const timer = setTimeout(() => this.kill(), STOP_PATIENCE_MS);
    await this.#ended.promise;
    clearTimeout(timer);
  }

  #hear(message: GatewayMessage): void {
    this.#silentTicks = 0;
    if (message.kind === 'state') {
      this.#state = message.state;
      if (message.metrics) this.#metrics = message.metrics;
    }
    this.#become(this.#reported);
    if ('id' in message) this.#questions.get(message.id)?.(message);
    else if (message.kind === 'state' && message.refusals) {
      this.#refusals = message.refusals;
      this.#listeners.onRefusals();
    }
  }

  /** Its phase by its last report. */
  get #reported(): Phase {
    if (this.#state === undefined) return 'starting';
    if (Object.keys(this.#state.red).length > 0) return 'red';
    return this.#state.isListening ? 'serving' : 'standby';
  }

  #takeEnd(end: End): void {
    if (this.#phase === 'ended') return;
    this.#end = end;
    this.#ended.resolve();
    for (const settle of this.#questions.values()) settle('ended');
    this.#become('ended');
  }

  /** Nothing follows an end, not even a report that was still on its way. */
  #become(phase: Phase): void {
    const before = this.#phase;
    if (before === phase || before === 'ended') return;
    this.#phase = phase;
    this.#listeners.onPhase(this, before);
  }
}
