import cluster, { type Worker } from 'node:cluster';
import type { MetricObject } from 'prom-client';
import {
  type Answer,
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
export const TURN_MS = REPORT_INTERVAL_MS;
const TURNS_PER_SECOND = 1000 / TURN_MS;
/** A gateway without a report for this long does not serve: it is red. */
const SILENT_TURNS = 2 * TURNS_PER_SECOND;
/** A silent gateway keeps its share of the new connections until it is killed. */
const HUNG_TURNS = 10 * TURNS_PER_SECOND;
/** On a starved machine, loading the code takes many seconds, and a gateway that is killed for it begins again. */
const START_TURNS = 60 * TURNS_PER_SECOND;

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

export interface StartOptions {
  /** Its place among the gateways, from 1. */
  readonly number: number;
  /** Variables beside those of the primary. */
  readonly variables: Readonly<Record<string, string>>;
  readonly configuration: GivenConfiguration;
  /** Called once, never before the constructor has returned. */
  readonly onEnd: (gateway: GatewayProcess, end: End) => void;
  /** Called after every report of its state. */
  readonly onReport: () => void;
  readonly onRefusals: () => void;
}

/** Why a gateway gave no answer. */
export type NoAnswer = 'ended' | 'silent';

/**
 * What a gateway does. `starting`: it has not reported yet. `red`: it would refuse calls, and says why. `ready`: it would answer them, and
 * takes no connections. `serving`: calls that reach it are answered. `silent`: it reports no longer, and its share of the new connections
 * waits in vain. Only `ended` is for good.
 */
export type Phase = 'starting' | 'red' | 'ready' | 'serving' | 'silent' | 'ended';

let lastId = 0;

/** One gateway, with what it last reported. */
export class GatewayProcess {
  readonly number: number;
  readonly startedMs = performance.now();
  /** True once another gateway has taken its place. */
  isLeaving = false;
  /** Undefined until the gateway has started. */
  state: GatewayState | undefined;
  metrics: readonly MetricObject[] = [];
  refusals: readonly RefusalNote[] = [];
  /** Undefined when the operating system refused to start the process. */
  readonly #worker: Worker | undefined;
  readonly #questions = new Map<number, (answer: Answer | NoAnswer) => void>();
  #listens: boolean | undefined;
  /** Resolves at its end. */
  readonly #end = Promise.withResolvers<void>();
  #silentTurns = 0;
  #hasEnded = false;

  /** Starts the process. Never throws: a start that fails is reported to `onEnd`. */
  constructor(options: StartOptions) {
    const { number, variables, configuration, onEnd } = options;
    this.number = number;
    const end = (how: End): void => {
      if (this.#hasEnded) return;
      this.#hasEnded = true;
      this.#end.resolve();
      for (const settle of this.#questions.values()) settle('ended');
      onEnd(this, how);
    };
    const fail = (error: unknown): void => end({ reason: (error as Error).message });
    try {
      const worker = cluster.fork({ ...variables, LOYALTY_GATEWAY: String(number) });
      const { process: child } = worker;
      // The event `error` also stands for a message or a signal that could not be sent, which ends nothing.
      worker.on('error', (error) => child.pid === undefined && fail(error));
      child.once('exit', (code, signal) => end({ code, signal }));
      child.on('message', (message: GatewayMessage) => this.#hear(message, options));
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
    if (this.#hasEnded) return 'ended';
    if (this.state === undefined) return 'starting';
    if (this.#silentTurns >= SILENT_TURNS) return 'silent';
    if (Object.keys(this.state.red).length > 0) return 'red';
    return this.state.isListening ? 'serving' : 'ready';
  }

  /** True while it takes connections, whether it answers calls or refuses them. */
  get isListening(): boolean {
    return !this.#hasEnded && this.state?.isListening === true;
  }

  /** True when it has been silent for so long that it will not come back by itself. */
  get isHung(): boolean {
    return !this.#hasEnded && this.#silentTurns >= (this.state ? HUNG_TURNS : START_TURNS);
  }

  /** The reasons why it does not serve; empty when it does. */
  get reasons(): readonly string[] {
    const { phase } = this;
    if (phase === 'ended') return ['ended'];
    if (phase === 'silent') return [`no report for ${Math.floor(this.#silentTurns / TURNS_PER_SECOND)} s`];
    if (phase === 'starting' || phase === 'ready') return ['starting'];
    return Object.entries(this.state?.red ?? {}).map(([name, reason]) => `${name}: ${reason}`);
  }

  /**
   * Counts a turn of the primary's timer without a report. Turns and not seconds are counted: while the whole machine stood still
   * (a laptop's sleep, a paused virtual machine, SIGSTOP to all), the primary did not run either, and no gateway is blamed.
   */
  countTurn(): void {
    this.#silentTurns += 1;
  }

  /** Has the gateway take new connections, or none. */
  direct(listens: boolean): void {
    if (this.state === undefined || this.isLeaving || this.#listens === listens) return;
    this.#listens = listens;
    this.send({ kind: 'listen', isWanted: listens });
  }

  /** Sends a message, if the process is there to take it. Never throws. */
  send(message: PrimaryMessage): void {
    if (this.#worker?.isConnected()) this.#worker.process.send(message, () => undefined);
  }

  /** Asks the gateway. Never rejects. `patienceMs` is how long it may take. */
  async ask<Kind extends Question['kind']>(
    words: Omit<Extract<Question, { readonly kind: Kind }>, 'id'>,
    patienceMs: number,
  ): Promise<Extract<Answer, { readonly kind: Kind }> | NoAnswer> {
    if (this.#hasEnded || !this.#worker?.isConnected()) return 'ended';
    lastId += 1;
    const id = lastId;
    const { promise, resolve } = Promise.withResolvers<Answer | NoAnswer>();
    const timer = setTimeout(() => resolve('silent'), patienceMs).unref();
    this.#questions.set(id, resolve);
    this.send({ ...words, id } as unknown as Question);
    const answer = await promise;
    clearTimeout(timer);
    this.#questions.delete(id);
    return answer as Extract<Answer, { readonly kind: Kind }> | NoAnswer;
  }

  /** Tells it that another gateway has taken its place: it ends when its connections have gone over. */
  retire(): void {
    this.isLeaving = true;
    this.send({ kind: 'retire' });
  }

  /** Ends it without its help: a process that is stopped or in an endless loop does not take SIGTERM. */
  kill(): void {
    this.#worker?.process.kill('SIGKILL');
  }

  /** Asks it to end, and ends it when it does not. Resolves after its end. Never rejects. */
  async stop(): Promise<void> {
    if (this.#hasEnded || !this.#worker) return;
    this.#worker.process.kill('SIGTERM');
    const timer = setTimeout(() => this.kill(), STOP_PATIENCE_MS);
    await this.#end.promise;
    clearTimeout(timer);
  }

  #hear(message: GatewayMessage, { onReport, onRefusals }: StartOptions): void {
    this.#silentTurns = 0;
    if ('id' in message) this.#questions.get(message.id)?.(message);
    else if (message.kind === 'state') {
      this.state = message.state;
      if (message.metrics) this.metrics = message.metrics;
      onReport();
      if (!message.refusals) return;
      this.refusals = message.refusals;
      onRefusals();
    }
  }
}
