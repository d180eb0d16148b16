import type { Registry } from 'prom-client';
import type { FoundRequest } from '../../packages/console/src/admin/administration.ts';
import type { GivenConfiguration } from '../process/messages.ts';
import { RestartDelay } from '../redis/restart-delay.ts';
import type { LogLevel } from '../settings/log-level.ts';
import type { Build } from '../telemetry/build.ts';
import { GatewayMetrics } from '../telemetry/gateway-metrics.ts';
import type { Logger } from '../telemetry/log.ts';
import type { PrimaryFigures } from '../telemetry/primary-exposition.ts';
import { mergeRefusals, type RefusalNote } from '../telemetry/recent-refusals.ts';
import { type End, GatewayProcess, setUpForks, TURN_MS } from './gateway-process.ts';
import { GatewayReadiness } from './gateway-readiness.ts';
import { paced } from './paced.ts';

const POLL_MS = 20;
/** Whoever looks a request up waits no longer for a gateway that hangs. */
const FIND_PATIENCE_MS = 2000;
/** Nobody waits longer for the figures of a gateway that hangs. */
const REFRESH_PATIENCE_MS = 250;
const REFRESH_PAUSE_MS = 50;
/** A gateway that is not ready by then does not take the place of a working one. */
const REPLACEMENT_PATIENCE_MS = 60_000;
/** A replaced gateway ends by itself long before; one that hangs is ended. */
const LEAVING_PATIENCE_MS = 30_000;

export interface GatewaysOptions {
  /** How many there have to be. */
  readonly count: number;
  /** Environment variables beside those of the primary. */
  readonly variables: Readonly<Record<string, string>>;
  /** Descriptors that every gateway inherits, after the channel to the primary. */
  readonly descriptors: readonly number[];
  /** The configuration in force, with which a gateway starts. */
  readonly configuration: () => GivenConfiguration;
  readonly log: Logger;
  /** Figures of the primary itself for the combined metrics. */
  readonly figures: PrimaryFigures;
}

/** The gateways: starts them, restarts one that ends or hangs, replaces them by newer code, and combines their reports. */
export class Gateways {
  readonly #options: GatewaysOptions;
  readonly #log: Logger;
  #variables: Readonly<Record<string, string>>;
  readonly #members: GatewayProcess[] = [];
  readonly #delays: readonly RestartDelay[];
  readonly #metrics: GatewayMetrics;
  /** Whether the service is ready, and why not. */
  readonly readiness: GatewayReadiness;
  readonly #timer: NodeJS.Timeout;
  /** Gateways that start in the place of another, or have been replaced and are ending. */
  readonly #others = new Set<GatewayProcess>();
  /** Places whose gateway ended at least once, with the last reason that one could not be started. */
  readonly #failed = new Map<number, string | undefined>();
  /** Gateways that are known to be silent, and those that were killed for it. */
  readonly #silent = new Set<GatewayProcess>();
  readonly #killed = new WeakSet<GatewayProcess>();
  #hung = 0;
  #isReplacing = false;
  #isReplacedAgain = false;
  #refusals: readonly RefusalNote[] = [];
  #isEnding = false;

  constructor(options: GatewaysOptions) {
    const { count, variables, descriptors, log, figures } = options;
    [this.#options, this.#variables, this.#log] = [options, variables, log];
    setUpForks(descriptors);
    this.#delays = Array.from({ length: count }, () => new RestartDelay());
    this.readiness = new GatewayReadiness(this.#members, (index) => this.#failed.has(index));
    this.#metrics = new GatewayMetrics(count, figures, {
      isReady: () => this.readiness.isReady,
      serving: () => this.readiness.serving,
      silent: () => this.#members.filter(({ phase }) => phase === 'silent').length,
      hung: () => this.#hung,
    });
    this.#timer = setInterval(() => this.#turn(), TURN_MS).unref();
    for (let index = 0; index < count; index += 1) this.#members[index] = this.#start(index);
  }

  /** Every gateway: those in their places, one that starts in the place of another, and those that are ending. */
  get processes(): readonly GatewayProcess[] {
    return [...this.#members, ...this.#others];
  }

  /** The last refusals of all gateways; a new list whenever they have changed. */
  get refusals(): readonly RefusalNote[] {
    return this.#refusals;
  }

  /**
   * The build that the gateways run, which is newer than the primary's after they were replaced. Undefined before the
   * first report.
   */
  get build(): Build | undefined {
    return this.#members.find(({ state }) => state)?.state?.build;
  }

  /**
   * Asks every gateway how it is now. What one that hangs said last is kept. However many ask at once, a gateway is asked a few times
   * a second, because an answer takes its event loop a millisecond.
   */
  readonly refresh = paced(REFRESH_PAUSE_MS, () => this.#askAll());

  async #askAll(): Promise<void> {
    const started = this.processes.filter(({ state, phase }) => state && phase !== 'silent');
    await Promise.all(started.map((gateway) => gateway.ask<'report'>({ kind: 'report' }, REFRESH_PATIENCE_MS)));
  }

  /** The combined metrics of all gateways, as of the last refresh. */
  mergeMetrics(): Registry {
    return this.#metrics.merge(this.processes.map(({ metrics }) => metrics));
  }

  /** Waits until a gateway listens. Throws when every gateway has ended once; each has printed its own reason. */
  async untilListening(): Promise<void> {
    while (!this.#members.some(({ isListening }) => isListening)) {
      if (this.#failed.size === this.#members.length) {
        const reason = [...this.#failed.values()].find((text) => text !== undefined);
        throw new Error(`no process could start${reason === undefined ? '' : `: ${reason}`}`);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Sets the level of every gateway's log, also of those that start later. */
  setLogLevel(level: LogLevel): void {
    this.#variables = { ...this.#variables, LOG_LEVEL: level };
    for (const gateway of this.processes) gateway.send({ kind: 'log level', level });
  }

  /** Finds what became of a request in any of the gateways. */
  async findRequest(requestId: string): Promise<FoundRequest> {
    const question = { kind: 'find request', requestId } as const;
    const started = this.processes.filter(({ state }) => state);
    const answers = await Promise.all(
      started.map((gateway) => gateway.ask<'find request'>(question, FIND_PATIENCE_MS)),
    );
    const found = answers.filter((answer) => typeof answer !== 'string');
    return {
      calculationId: found.find(({ calculationId }) => calculationId !== undefined)?.calculationId,
      refusal: found.find(({ refusal }) => refusal !== undefined)?.refusal,
    };
  }

  async stop(): Promise<void> {
    this.#isEnding = true;
    clearInterval(this.#timer);
    await Promise.all(this.processes.map((gateway) => gateway.stop()));
  }

  /**
   * Replaces every gateway by a new one, one after the other: the new one serves before the old one stops listening. A new
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
    while (next.phase !== 'serving' && next.phase !== 'ended' && performance.now() < endMs && !this.#isEnding) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    if (this.#isEnding) return false;
    if (next.phase !== 'serving') {
      const reason = next.phase === 'ended' ? 'it ended' : next.reasons.join('; ');
      this.#log.error({ replaced: index + 1, reason }, 'replacement is not ready, the old process stays');
      await next.stop();
      return false;
    }
    const old = this.#members[index] as GatewayProcess;
    this.#others.delete(next);
    this.#members[index] = next;
    if (old.phase === 'ended') return true;
    this.#others.add(old);
    old.retire();
    setTimeout(() => void old.stop(), LEAVING_PATIENCE_MS).unref();
    return true;
  }

  #start(index: number): GatewayProcess {
    return new GatewayProcess({
      number: index + 1,
      variables: this.#variables,
      configuration: this.#options.configuration(),
      onEnd: (gateway, end) => this.#end(gateway, index, end),
      onReport: () => this.#direct(),
      onRefusals: () => {
        this.#refusals = mergeRefusals(this.#members.map(({ refusals }) => refusals));
      },
    });
  }

  /**
   * What follows from a report, a turn or an end of a gateway. One that would refuse calls takes no connections from those that answer
   * them: it stops listening while another one is ready. Where none is ready all listen, because a refusal says when to come again.
   */
  #direct(): void {
    this.readiness.look();
    const isReady = ({ phase }: GatewayProcess) => phase === 'ready' || phase === 'serving';
    const isAnyReady = this.#members.some(isReady);
    for (const gateway of this.processes) gateway.direct(isReady(gateway) || !isAnyReady);
  }

  #turn(): void {
    for (const gateway of this.processes) {
      gateway.countTurn();
      if (gateway.phase !== 'ended') this.#judge(gateway);
    }
    for (const gateway of this.#silent) if (gateway.phase === 'ended') this.#silent.delete(gateway);
    this.#direct();
  }

  #judge(gateway: GatewayProcess): void {
    const { number, pid } = gateway;
    const isSilent = gateway.phase === 'silent';
    if (gateway.isHung && !this.#killed.has(gateway)) {
      this.#killed.add(gateway);
      this.#hung += 1;
      this.#log.error({ hung: number, pid }, 'process hung, it is killed and replaced');
      gateway.kill();
    } else if (isSilent && !this.#silent.has(gateway)) {
      this.#silent.add(gateway);
      this.#log.warn({ silent: number, pid }, 'process does not report');
    } else if (!isSilent && this.#silent.delete(gateway)) {
      this.#log.info({ silent: number }, 'process reports again');
    }
  }

  #end(gateway: GatewayProcess, index: number, end: End): void {
    if (this.#isEnding) return;
    const isReplaced = this.#others.delete(gateway);
    this.#metrics.retire(gateway.metrics, !isReplaced);
    gateway.metrics = [];
    if (isReplaced) return;
    this.#failed.set(index, end.reason);
    this.#direct();
    const startsInMs = this.#delays[index]!.take(performance.now() - gateway.startedMs);
    const facts = {
      ended: index + 1,
      ...end,
      startsInMs,
      serving: this.readiness.serving,
      expected: this.#members.length,
    };
    const isUnborn = end.reason !== undefined;
    this.#log.error(facts, `process ${isUnborn ? 'could not be started' : 'ended'}, it is started again`);
    const startAgain = (): void => {
      // Meanwhile a replacement may have taken its place.
      if (!this.#isEnding && this.#members[index] === gateway) this.#members[index] = this.#start(index);
    };
    setTimeout(startAgain, startsInMs).unref();
  }
}
