import type { Registry } from 'prom-client';
import type { FoundRequest } from '../../packages/console/src/admin/administration.ts';
import type { GivenConfiguration } from '../process/messages.ts';
import type { LogLevel } from '../settings/log-level.ts';
import type { Build } from '../telemetry/build.ts';
import type { Logger } from '../telemetry/log.ts';
import { mergeRefusals, type RefusalNote } from '../telemetry/recent-refusals.ts';
import { GatewayMetrics } from './gateway-metrics.ts';
import { type GatewayProcess, setUpForks, TICK_MS } from './gateway-process.ts';
import { GatewayReadiness } from './gateway-readiness.ts';
import { paced } from './paced.ts';
import { type Around, Place } from './place.ts';
import type { PrimaryFigures } from './primary-figures.ts';

const POLL_MS = 20;
/** Whoever looks a request up waits no longer for a gateway that hangs. */
const FIND_PATIENCE_MS = 2000;
/** Nobody waits longer for the figures of a gateway that hangs. */
const REFRESH_PATIENCE_MS = 250;
const REFRESH_PAUSE_MS = 50;

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
}

/** The gateways of the service, each in its place: says which of them listen, and combines their reports. */
export class Gateways {
  readonly #log: Logger;
  #variables: Readonly<Record<string, string>>;
  readonly #places: readonly Place[];
  readonly #metrics = new GatewayMetrics();
  /** Whether the service is ready, and why not. */
  readonly readiness: GatewayReadiness;
  readonly #timer: NodeJS.Timeout;
  #refusals: readonly RefusalNote[] = [];

  constructor({ count, variables, descriptors, configuration, log }: GatewaysOptions) {
    [this.#variables, this.#log] = [variables, log];
    setUpForks(descriptors);
    const around: Around = {
      log,
      metrics: this.#metrics,
      startWith: () => ({ variables: this.#variables, configuration: configuration() }),
      strength: () => ({ serving: this.readiness.serving, expected: count }),
      onChange: () => this.#direct(),
      onRefusals: () => {
        this.#refusals = mergeRefusals(this.#members.map(({ refusals }) => refusals));
      },
    };
    this.#places = Array.from({ length: count }, (_, index) => new Place(index + 1, around));
    this.readiness = new GatewayReadiness(this.#places);
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** The gateways in their places. */
  get #members(): readonly GatewayProcess[] {
    return this.#places.map(({ gateway }) => gateway);
  }

  /** Every gateway: those in their places, those that start in the stead of another, and those that leave. */
  get processes(): readonly GatewayProcess[] {
    return this.#places.flatMap(({ processes }) => processes);
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
    await Promise.all(started.map((gateway) => gateway.ask({ kind: 'report' }, REFRESH_PATIENCE_MS)));
  }

  /** The metrics of all gateways, as of the last refresh, combined with the primary's own. */
  mergeMetrics(figures: PrimaryFigures): Registry {
    // The counts of one that has ended are kept already.
    const living = this.processes.filter(({ phase }) => phase !== 'ended');
    const states = {
      isReady: this.readiness.isReady,
      expected: this.#places.length,
      serving: this.readiness.serving,
      silent: this.#members.filter(({ phase }) => phase === 'silent').length,
      hung: this.#places.reduce((sum, { hung }) => sum + hung, 0),
    };
    const told = living.map(({ metrics }) => metrics);
    return this.#metrics.merge(told, states, figures);
  }

  /** Waits until a gateway listens. Throws when every gateway has ended once; each has printed its own reason. */
  async untilListening(): Promise<void> {
    while (!this.#members.some(({ isListening }) => isListening)) {
      if (this.#places.every(({ lastEnd }) => lastEnd)) {
        const reason = this.#places.find(({ lastEnd }) => lastEnd?.reason !== undefined)?.lastEnd?.reason;
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
    const answers = await Promise.all(started.map((gateway) => gateway.ask(question, FIND_PATIENCE_MS)));
    const found = answers.filter((answer) => typeof answer !== 'string');
    return {
      calculationId: found.find(({ calculationId }) => calculationId !== undefined)?.calculationId,
      refusal: found.find(({ refusal }) => refusal !== undefined)?.refusal,
    };
  }

  /** Ends all of them; from now on the service is not ready. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.readiness.drain();
    await Promise.all(this.#places.map((place) => place.stop()));
  }

  /**
   * Replaces every gateway by a new one, one after the other. Where one does not become ready, the rest stay as they are. Asked
   * again meanwhile, it does it once more afterwards, because the code may have changed again. Never rejects.
   */
  readonly replace = paced(0, () => this.#replaceEach());

  async #replaceEach(): Promise<void> {
    for (const place of this.#places) {
      if (!(await place.replace())) return;
    }
    this.#log.info({ processes: this.#places.length }, 'processes replaced');
  }

  /**
   * What follows from a change of the gateways. One that would refuse calls takes no connections from those that answer them: it
   * stops listening while another one is ready. Where none is ready all listen, because a refusal says when to come again.
   */
  #direct(): void {
    this.readiness.look();
    const isReady = ({ phase }: GatewayProcess) => phase === 'standby' || phase === 'serving';
    const isAnyReady = this.#members.some(isReady);
    for (const gateway of this.processes) gateway.direct(isReady(gateway) || !isAnyReady);
  }

  #tick(): void {
    for (const place of this.#places) place.tick();
  }
}
