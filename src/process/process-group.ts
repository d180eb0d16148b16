import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { MetricObject, Registry } from 'prom-client';
import type { FoundRequest, LogLevel } from '../ops/admin/administration.ts';
import type { Settings } from '../settings.ts';
import type { Logger } from '../telemetry/log.ts';
import { ProcessMetrics } from '../telemetry/process-metrics.ts';
import { mergeRefusals, type RefusalNote } from '../telemetry/recent-refusals.ts';
import { askProcess } from './ask-process.ts';
import type { ProcessMessage, SupervisorMessage } from './messages.ts';

/** An ended process is started again after this pause, so that a process that fails to start does not burn CPU. */
const RESTART_DELAY_MS = 500;
const STOP_PATIENCE_MS = 8000;
const POLL_MS = 20;
/** Whoever looks a request up waits no longer for a process that hangs. */
const FIND_PATIENCE_MS = 2000;
/** A process that is not ready by then does not take the place of a working one. */
const REPLACEMENT_PATIENCE_MS = 60_000;
/** A replaced process ends by itself long before; one that hangs is ended. */
const LEAVING_PATIENCE_MS = 30_000;

interface Member {
  readonly child: ChildProcess;
  isListening: boolean;
  /** Checks that are red, by name; undefined until the process has reported its state. */
  red: Readonly<Record<string, string>> | undefined;
  facts: Readonly<Record<string, string>>;
  metrics: readonly MetricObject[];
  refusals: readonly RefusalNote[];
}

/** The service processes of a supervisor: starts them, restarts one that dies, and combines their reports. */
export class ProcessGroup {
  readonly #settings: Settings;
  #variables: Readonly<Record<string, string>>;
  readonly #log: Logger;
  readonly #members: Member[] = [];
  readonly #figures: ProcessMetrics;
  /** Processes that start in the place of another, or have been replaced and are ending. */
  readonly #others = new Set<Member>();
  #isReplacing = false;
  #refusals: readonly RefusalNote[] = [];
  #isEnding = false;

  /** `variables` extend or replace the environment variables of the supervisor. */
  constructor(settings: Settings, variables: Readonly<Record<string, string>>, log: Logger) {
    this.#settings = settings;
    this.#variables = variables;
    this.#log = log;
    this.#figures = new ProcessMetrics(settings.processes);
    for (let index = 0; index < settings.processes; index += 1) this.#members[index] = this.#start(index);
  }

  get children(): readonly ChildProcess[] {
    return this.#members.map(({ child }) => child);
  }

  /** The last refusals of all processes; a new list whenever they have changed. */
  get refusals(): readonly RefusalNote[] {
    return this.#refusals;
  }

  /** The reason why the group is not ready; undefined when every process is ready. */
  get red(): string | undefined {
    const red = this.#members.flatMap(({ red: checks }, index) => {
      if (checks === undefined) return [`${index + 1}: starting`];
      return Object.entries(checks).map(([name, reason]) => `${index + 1}: ${name}: ${reason}`);
    });
    return red.length === 0 ? undefined : red.join('; ');
  }

  /** The fact of a name that processes report beside their checks, each sentence once; undefined when none does. */
  factOf(name: string): string | undefined {
    const told = new Set(this.#members.flatMap(({ facts }) => facts[name] ?? []));
    return told.size === 0 ? undefined : [...told].join('; ');
  }

  /** The combined metrics of all processes. */
  mergeMetrics(): Registry {
    return this.#figures.merge([...this.#members, ...this.#others].map(({ metrics }) => metrics));
  }

  /** Waits until a process listens. Throws when every process has ended; each has printed its own reason. */
  async untilListening(): Promise<void> {
    while (!this.#members.some(({ isListening }) => isListening)) {
      if (this.#members.every(({ child }) => hasEnded(child))) throw new Error('no process could start');
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Sets the level of every process' log, also of those that start later. */
  setLogLevel(level: LogLevel): void {
    this.#variables = { ...this.#variables, LOG_LEVEL: level };
    for (const { child } of this.#members) {
      if (child.connected) child.send({ kind: 'log level', level } satisfies SupervisorMessage, () => undefined);
    }
  }

  /** What became of a request in whichever process. */
  async findRequest(requestId: string): Promise<FoundRequest> {
    const question = { kind: 'find request', requestId } as const;
    const replies = await Promise.all(this.children.map((child) => askProcess(child, question, FIND_PATIENCE_MS)));
    const found = replies.filter((reply) => typeof reply !== 'string');
    return {
      calculationId: found.find((reply) => reply.calculationId !== undefined)?.calculationId,
      refusal: found.find((reply) => reply.refusal !== undefined)?.refusal,
    };
  }

  async stop(): Promise<void> {
    this.#isEnding = true;
    await Promise.all([...this.#members, ...this.#others].map(({ child }) => stopChild(child)));
  }

  /**
   * Replaces every process by a new one, one after the other: the new one is ready before the old one stops listening. A new
   * one that does not become ready is ended, and the rest stay as they are. Never throws.
   */
  async replace(): Promise<void> {
    if (this.#isReplacing || this.#isEnding) return;
    this.#isReplacing = true;
    try {
      for (const index of this.#members.keys()) {
        if (!(await this.#replaceOne(index))) return;
      }
      this.#log.info({ processes: this.#members.length }, 'processes replaced');
    } finally {
      this.#isReplacing = false;
    }
  }

  async #replaceOne(index: number): Promise<boolean> {
    const next = this.#start(index);
    this.#others.add(next);
    const endMs = performance.now() + REPLACEMENT_PATIENCE_MS;
    while (!isReady(next) && !hasEnded(next.child) && performance.now() < endMs && !this.#isEnding) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    if (this.#isEnding) return false;
    if (!isReady(next) || hasEnded(next.child)) {
      const reason = hasEnded(next.child) ? 'it ended' : JSON.stringify(next.red ?? 'starting');
      this.#log.error({ replaced: index + 1, reason }, 'replacement is not ready, the old process stays');
      await stopChild(next.child);
      return false;
    }
    const old = this.#members[index] as Member;
    this.#others.delete(next);
    this.#members[index] = next;
    if (hasEnded(old.child)) return true;
    this.#others.add(old);
    if (old.child.connected) old.child.send({ kind: 'retire' } satisfies SupervisorMessage, () => undefined);
    setTimeout(() => void stopChild(old.child), LEAVING_PATIENCE_MS).unref();
    return true;
  }

  #start(index: number): Member {
    const { entryFile, inherited } = this.#settings;
    const child = fork(entryFile, {
      env: { ...inherited, ...this.#variables, LOYALTY_SUPERVISED: String(index + 1) },
    });
    const member: Member = { child, isListening: false, red: undefined, facts: {}, metrics: [], refusals: [] };
    child.on('message', (message: ProcessMessage) => {
      if (message.kind === 'listening') member.isListening = true;
      if (message.kind !== 'state') return;
      [member.red, member.facts, member.metrics] = [message.checks, message.facts, message.metrics];
      if (!message.refusals) return;
      member.refusals = message.refusals;
      this.#refusals = mergeRefusals(this.#members.map(({ refusals }) => refusals));
    });
    child.once('exit', (code, signal) => this.#end(member, index, { code, signal }));
    return member;
  }

  #end(member: Member, index: number, how: { readonly code: number | null; readonly signal: string | null }): void {
    if (this.#isEnding) return;
    const isReplaced = this.#others.delete(member);
    this.#figures.retire(member.metrics, !isReplaced);
    member.metrics = [];
    if (isReplaced) return;
    member.red = { process: 'ended' };
    this.#log.error({ ended: index + 1, ...how }, 'process ended, it is started again');
    const startAgain = (): void => {
      // Meanwhile a replacement may have taken its place.
      if (!this.#isEnding && this.#members[index] === member) this.#members[index] = this.#start(index);
    };
    setTimeout(startAgain, RESTART_DELAY_MS).unref();
  }
}

function isReady({ isListening, red }: Member): boolean {
  return isListening && red !== undefined && Object.keys(red).length === 0;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
  await ended;
  clearTimeout(timer);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
