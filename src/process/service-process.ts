import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { MetricObject } from 'prom-client';
import type { RefusalNote } from '../telemetry/recent-refusals.ts';
import type { ProcessMessage, SupervisorMessage } from './messages.ts';

/** A process that is asked to end drains within this time. */
const STOP_PATIENCE_MS = 8000;

/** A process without a sign of life for this long does not serve: it is red. */
const SILENT_MS = 2000;
/** A silent process keeps its share of the new connections until it is killed. */
const HUNG_MS = 10_000;
/** On a starved machine, loading the code takes many seconds, and a process that is killed for it begins again. */
const START_MS = 60_000;

/** SIGUSR1 would open Node's debugger before no-debugger.ts has run. */
const NO_DEBUGGER = '--disable-sigusr1';

/** How a process ended; `reason` is present where it could not be started at all. */
export interface End {
  readonly code?: number | null;
  readonly signal?: string | null;
  readonly reason?: string;
}

export interface StartOptions {
  /** Its place among the processes, from 1. */
  readonly number: number;
  readonly entryFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called once, never before the constructor has returned. */
  readonly onEnd: (process: ServiceProcess, end: End) => void;
  readonly onRefusals: () => void;
}

/** One process of a supervisor, with what it last reported. */
export class ServiceProcess {
  /** Undefined when the operating system refused to start the process. */
  readonly child: ChildProcess | undefined;
  readonly number: number;
  readonly startedMs = performance.now();
  isListening = false;
  /** True once another process has taken its place. */
  isLeaving = false;
  /** Checks that are red, by name; undefined until the process has reported its state. */
  red: Readonly<Record<string, string>> | undefined;
  facts: Readonly<Record<string, string>> = {};
  metrics: readonly MetricObject[] = [];
  refusals: readonly RefusalNote[] = [];
  #silentMs = 0;
  #hasEnded = false;

  /** Starts the process. Never throws: a start that fails is reported to `onEnd`. */
  constructor({ number, entryFile, env, onEnd, onRefusals }: StartOptions) {
    this.number = number;
    const end = (how: End): void => {
      if (this.#hasEnded) return;
      this.#hasEnded = true;
      onEnd(this, how);
    };
    const fail = (error: unknown): void => end({ reason: (error as Error).message });
    try {
      const child = fork(entryFile, { env, execArgv: [...new Set([...process.execArgv, NO_DEBUGGER])] });
      // The event `error` also stands for a message or a signal that could not be sent, which ends nothing.
      child.on('error', (error) => child.pid === undefined && fail(error));
      child.once('exit', (code, signal) => end({ code, signal }));
      child.on('message', (message: ProcessMessage) => this.#hear(message, onRefusals));
      if (child.pid !== undefined) this.child = child;
    } catch (error) {
      // Node reports some errors of a start by an event and throws others (ENOMEM).
      setImmediate(() => fail(error));
    }
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** True when calls that reach it are answered. */
  get isServing(): boolean {
    return this.isListening && !this.isSilent && this.red !== undefined && Object.keys(this.red).length === 0;
  }

  /** True when it listened and reports no longer: its share of the new connections waits in vain. */
  get isSilent(): boolean {
    return this.isListening && !this.#hasEnded && this.#silentMs >= SILENT_MS;
  }

  /** True when it has been silent for so long that it will not come back by itself. */
  get isHung(): boolean {
    return !this.#hasEnded && this.#silentMs >= (this.isListening ? HUNG_MS : START_MS);
  }

  /** The reasons why it does not serve; empty when it does. */
  get reasons(): readonly string[] {
    if (this.#hasEnded) return ['ended'];
    if (this.isSilent) return [`no report for ${Math.floor(this.#silentMs / 1000)} s`];
    if (this.red === undefined) return ['starting'];
    return Object.entries(this.red).map(([name, reason]) => `${name}: ${reason}`);
  }

  /** Adds time without a report. Only the supervisor knows how much of it counts (process-watch.ts). */
  addSilence(durationMs: number): void {
    this.#silentMs += durationMs;
  }

  /** Sends a message, if the process is there to take it. Never throws. */
  send(message: SupervisorMessage): void {
    if (this.child?.connected) this.child.send(message, () => undefined);
  }

  /** Tells it that another process has taken its place: it ends when its connections have gone over. */
  retire(): void {
    this.isLeaving = true;
    this.send({ kind: 'retire' });
  }

  /** Ends it without its help: a process that is stopped or in an endless loop does not take SIGTERM. */
  kill(): void {
    this.child?.kill('SIGKILL');
  }

  /** Asks it to end, and ends it when it does not. Resolves after its end. */
  async stop(): Promise<void> {
    if (this.#hasEnded || !this.child) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.kill(), STOP_PATIENCE_MS);
    await ended;
    clearTimeout(timer);
  }

  #hear(message: ProcessMessage, onRefusals: () => void): void {
    this.#silentMs = 0;
    if (message.kind === 'listening') this.isListening = true;
    if (message.kind !== 'state') return;
    [this.red, this.facts, this.metrics] = [message.checks, message.facts, message.metrics];
    if (!message.refusals) return;
    this.refusals = message.refusals;
    onRefusals();
  }
}
