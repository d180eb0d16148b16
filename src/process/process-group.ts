import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import type { FoundRequest, LogLevel } from '../../packages/console/src/admin/administration.ts';
import { RestartDelay } from '../redis/restart-delay.ts';
import type { Settings } from '../settings.ts';
import type { Build } from '../telemetry/build.ts';
import type { Logger } from '../telemetry/log.ts';
import { ProcessMetrics } from '../telemetry/process-metrics.ts';
import { mergeRefusals, type RefusalNote } from '../telemetry/recent-refusals.ts';
import { askProcess } from './ask-process.ts';
import { ProcessWatch } from './process-watch.ts';
import { type End, ServiceProcess } from './service-process.ts';

const POLL_MS = 20;
/** Whoever looks a request up waits no longer for a process that hangs. */
const FIND_PATIENCE_MS = 2000;
/** A process that is not ready by then does not take the place of a working one. */
const REPLACEMENT_PATIENCE_MS = 60_000;
/** A replaced process ends by itself long before; one that hangs is ended. */
const LEAVING_PATIENCE_MS = 30_000;

/** The service processes of a supervisor: starts them, restarts one that ends or hangs, and combines their reports. */
export class ProcessGroup {
  readonly #settings: Settings;
  #variables: Readonly<Record<string, string>>;
  readonly #log: Logger;
  readonly #members: ServiceProcess[] = [];
  readonly #delays: readonly RestartDelay[];
  readonly #figures: ProcessMetrics;
  readonly #watch: ProcessWatch;
  /** Processes that start in the place of another, or have been replaced and are ending. */
  readonly #others = new Set<ServiceProcess>();
  /** Places whose process ended at least once, with the last reason that a process could not be started. */
  readonly #failed = new Map<number, string | undefined>();
  #hasStarted = false;
  #isReplacing = false;
  #isReplacedAgain = false;
  #refusals: readonly RefusalNote[] = [];
  #isEnding = false;

  /** `variables` extend or replace the environment variables of the supervisor. */
  constructor(settings: Settings, variables: Readonly<Record<string, string>>, log: Logger) {
    this.#settings = settings;
    this.#variables = variables;
    this.#log = log;
    this.#delays = Array.from({ length: settings.processes }, () => new RestartDelay());
    this.#watch = new ProcessWatch(() => this.#members, log);
    this.#figures = new ProcessMetrics(settings.processes, {
      isReady: () => this.red === undefined,
      serving: () => this.#serving,
      silent: () => this.#members.filter(({ isSilent }) => isSilent).length,
      hung: () => this.#watch.hung,
    });
    for (let index = 0; index < settings.processes; index += 1) this.#members[index] = this.#start(index);
  }

  /** Every process: those in their places, one that starts in the place of another, and those that are ending. */
  get processes(): readonly ServiceProcess[] {
    return [...this.#members, ...this.#others];
  }

  /** The last refusals of all processes; a new list whenever they have changed. */
  get refusals(): readonly RefusalNote[] {
    return this.#refusals;
  }

  /** True while a process listens and reports. Whether Redis lets it serve is another question: a restart brings no Redis. */
  get isAnswering(): boolean {
    return this.#members.some(({ isListening, isSilent, hasEnded }) => isListening && !isSilent && !hasEnded);
  }

  get #serving(): number {
    return this.#members.filter(({ isServing }) => isServing).length;
  }

  /** How many processes serve and why the others do not; undefined when all serve. */
  get #shortfall(): string | undefined {
    const serving = this.#serving;
    if (serving === this.#members.length) return undefined;
    const reasons = this.#members.flatMap(({ isServing, reasons: own }, index) =>
      isServing ? [] : own.map((reason) => `${index + 1}: ${reason}`),
    );
    return `${serving} of ${this.#members.length} processes serve; ${reasons.join('; ')}`;
  }

  /**
   * The reason why the group is not ready. At the start every process is waited for, until it serves or has failed. From
   * then on one process that serves is enough, because the kernel gives no connection to processes that have ended or do
   * not listen yet. A silent process is different: it gets its share of the connections.
   */
  get red(): string | undefined {
    const shortfall = this.#shortfall;
    this.#hasStarted ||= this.#members.every(({ isServing }, index) => isServing || this.#failed.has(index));
    const isRed = !this.#hasStarted || this.#serving === 0 || this.#members.some(({ isSilent }) => isSilent);
    return isRed ? shortfall : undefined;
  }

  /**
   * The names of the checks with which the processes keep the group from being ready, or `processes` where none of them listens
   * or one is silent; empty while it is ready.
   */
  get redNames(): readonly string[] {
    if (this.red === undefined) return [];
    const answering = this.#members.filter(({ isListening, hasEnded }) => isListening && !hasEnded);
    const names = new Set(answering.flatMap(({ red }) => Object.keys(red ?? {})));
    return names.size === 0 || answering.some(({ isSilent }) => isSilent) ? ['processes'] : [...names];
  }

  /** Says that processes are missing although the group is ready; undefined when none is. */
  get fact(): string | undefined {
    return this.red === undefined ? this.#shortfall : undefined;
  }

  /** What processes report as the fact of this name, each sentence once; undefined when none reports it. */
  factOf(name: string): string | undefined {
    const told = new Set(this.#members.flatMap(({ facts }) => facts[name] ?? []));
    return told.size === 0 ? undefined : [...told].join('; ');
  }

  /**
   * The build that the processes run, which is newer than the supervisor's after they were replaced. Undefined before the
   * first report.
   */
  get build(): Build | undefined {
    const reported = this.#members.flatMap(({ metrics }) => metrics).find(({ name }) => name === 'loyalty_build_info');
    const labels = (reported as MetricObjectWithValues<MetricValue<string>> | undefined)?.values[0]?.labels;
    return labels && { version: String(labels['version']), commit: String(labels['commit']) };
  }

  /** The combined metrics of all processes. */
  mergeMetrics(): Registry {
    return this.#figures.merge(this.processes.map(({ metrics }) => metrics));
  }

  /** Waits until a process listens. Throws when every process has ended once; each has printed its own reason. */
  async untilListening(): Promise<void> {
    while (!this.#members.some(({ isListening }) => isListening)) {
      if (this.#failed.size === this.#members.length) {
        const reason = [...this.#failed.values()].find((text) => text !== undefined);
        throw new Error(`no process could start${reason === undefined ? '' : `: ${reason}`}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Sets the level of every process' log, also of those that start later. */
  setLogLevel(level: LogLevel): void {
    this.#variables = { ...this.#variables, LOG_LEVEL: level };
    for (const process of this.processes) process.send({ kind: 'log level', level });
  }

  /** Finds what became of a request in any of the processes. */
  async findRequest(requestId: string): Promise<FoundRequest> {
    const question = { kind: 'find request', requestId } as const;
    const listening = this.processes.filter(({ isListening }) => isListening);
    const replies = await Promise.all(listening.map(({ child }) => askProcess(child, question, FIND_PATIENCE_MS)));
    const found = replies.filter((reply) => typeof reply !== 'string');
    return {
      calculationId: found.find((reply) => reply.calculationId !== undefined)?.calculationId,
      refusal: found.find((reply) => reply.refusal !== undefined)?.refusal,
    };
  }

  async stop(): Promise<void> {
    this.#isEnding = true;
    this.#watch.close();
    await Promise.all(this.processes.map((process) => process.stop()));
  }

  /**
   * Replaces every process by a new one, one after the other: the new one is ready before the old one stops listening. A new
   * one that does not become ready is ended, and the rest stay as they are. Asked again meanwhile, it does it once more
   * afterwards, because the code may have changed again. Never throws.
   */
  async replace(): Promise<void> {
    this.#isReplacedAgain = this.#isReplacing;
    if (this.#isReplacing || this.#isEnding) return;
    this.#isReplacing = true;
    await this.#replaceEach();
    this.#isReplacing = false;
    if (this.#isReplacedAgain) await this.replace();
  }

  async #replaceEach(): Promise<void> {
    for (const index of this.#members.keys()) {
      if (!(await this.#replaceOne(index))) return;
    }
    this.#log.info({ processes: this.#members.length }, 'processes replaced');
  }

  async #replaceOne(index: number): Promise<boolean> {
    const next = this.#start(index);
    this.#others.add(next);
    const endMs = performance.now() + REPLACEMENT_PATIENCE_MS;
    while (!next.isServing && !next.hasEnded && performance.now() < endMs && !this.#isEnding) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    if (this.#isEnding) return false;
    if (!next.isServing || next.hasEnded) {
      const reason = next.hasEnded ? 'it ended' : next.reasons.join('; ');
      this.#log.error({ replaced: index + 1, reason }, 'replacement is not ready, the old process stays');
      await next.stop();
      return false;
    }
    const old = this.#members[index] as ServiceProcess;
    this.#others.delete(next);
    this.#members[index] = next;
    if (old.hasEnded) return true;
    this.#others.add(old);
    old.retire();
    setTimeout(() => void old.stop(), LEAVING_PATIENCE_MS).unref();
    return true;
  }

  #start(index: number): ServiceProcess {
    const { entryFile, inherited } = this.#settings;
    const number = index + 1;
    return new ServiceProcess({
      number,
      entryFile,
      env: { ...inherited, ...this.#variables, LOYALTY_SUPERVISED: String(number) },
      onEnd: (member, end) => this.#end(member, index, end),
      onRefusals: () => {
        this.#refusals = mergeRefusals(this.#members.map(({ refusals }) => refusals));
      },
    });
  }

  #end(member: ServiceProcess, index: number, end: End): void {
    if (this.#isEnding) return;
    const isReplaced = this.#others.delete(member);
    this.#figures.retire(member.metrics, !isReplaced);
    member.metrics = [];
    if (isReplaced) return;
    this.#failed.set(index, end.reason);
    const startsInMs = this.#delays[index]!.take(performance.now() - member.startedMs);
    const facts = { ended: index + 1, ...end, startsInMs, serving: this.#serving, expected: this.#members.length };
    const isUnborn = end.reason !== undefined;
    this.#log.error(facts, `process ${isUnborn ? 'could not be started' : 'ended'}, it is started again`);
    const startAgain = (): void => {
      // Meanwhile a replacement may have taken its place.
      if (!this.#isEnding && this.#members[index] === member) this.#members[index] = this.#start(index);
    };
    setTimeout(startAgain, startsInMs).unref();
  }
}
