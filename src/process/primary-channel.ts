import cluster from 'node:cluster';
import type { MetricObject, Registry } from 'prom-client';
import type { FoundRequest } from '../../packages/console/src/admin/administration.ts';
import type { LogLevel } from '../settings/log-level.ts';
import type { RefusalNote } from '../telemetry/recent-refusals.ts';
import {
  type GatewayMessage,
  type GatewayState,
  type GivenConfiguration,
  type PrimaryMessage,
  REPORT_INTERVAL_MS,
} from './messages.ts';

/** What a gateway reports of itself. */
export interface Reported {
  readonly state: () => GatewayState;
  readonly registry: Registry;
  /** The last refusals; a new list after every change. */
  readonly refusals: () => readonly RefusalNote[];
}

/** What a gateway does when the primary asks it. */
export interface Orders {
  /** Never rejects. */
  listen(isWanted: boolean): Promise<void>;
  setLogLevel(level: LogLevel): void;
  retire(): void;
  /** When it rejects, the configuration before stays in force. */
  takeOver(configuration: GivenConfiguration): Promise<void>;
  findRequest(requestId: string): FoundRequest;
}

/**
 * The channel of a gateway to its primary. The gateway reports from its start to its end, and its event loop alone decides whether
 * it does: one that waits for Redis or drains is not taken for one that hangs.
 */
export class PrimaryChannel {
  /** The configuration to start with. */
  readonly configuration: Promise<GivenConfiguration>;
  readonly #orders = Promise.withResolvers<Orders>();
  #reported: Reported | undefined;
  #told: readonly RefusalNote[] | undefined;
  #isGone = !process.connected;
  #onGone: (() => void) | undefined;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<GivenConfiguration>();
    this.configuration = promise;
    process.on('message', (message: PrimaryMessage) => {
      if (message.kind === 'start') resolve(message.configuration);
      // What is asked for while the gateway starts is done when it has started.
      else void this.#orders.promise.then((orders) => this.#obey(orders, message));
    });
    cluster.worker?.once('disconnect', () => {
      this.#isGone = true;
      this.#onGone?.();
    });
    void this.#tell();
    setInterval(() => void this.#tell(), REPORT_INTERVAL_MS).unref();
  }

  /** True once the primary has ended. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** Calls `end` when the primary has ended. */
  onGone(end: () => void): void {
    this.#onGone = end;
    if (this.#isGone) end();
  }

  /** Reports the state from now on. */
  report(reported: Reported): void {
    this.#reported = reported;
    void this.#tell();
  }

  /** Reports everything once more, at the end: the counts of a gateway are kept. */
  close(): Promise<void> {
    return this.#tellAll();
  }

  /** Does from now on what the primary asks for. */
  obey(orders: Orders): void {
    this.#orders.resolve(orders);
  }

  #obey(orders: Orders, message: PrimaryMessage): void {
    if (message.kind === 'log level') orders.setLogLevel(message.level);
    else if (message.kind === 'retire') orders.retire();
    else if (message.kind === 'report') void this.#tellAll().then(() => send(questionOf(message)));
    else if (message.kind === 'find request')
      void send({ ...orders.findRequest(message.requestId), ...questionOf(message) });
    // Reported at once: the primary waits for it.
    else if (message.kind === 'listen') void orders.listen(message.isWanted).finally(() => this.#tell());
    else if (message.kind === 'configuration') void this.#takeOver(orders, message);
  }

  async #takeOver(orders: Orders, message: Extract<PrimaryMessage, { kind: 'configuration' }>): Promise<void> {
    try {
      await orders.takeOver(message.configuration);
      void send(questionOf(message));
    } catch (error) {
      void send({ ...questionOf(message), reason: (error as Error).message });
    }
  }

  #tell(metrics?: readonly MetricObject[]): Promise<void> {
    if (!this.#reported) return send({ kind: 'alive' });
    const { state, refusals } = this.#reported;
    const latest = refusals();
    const isNew = latest !== this.#told;
    this.#told = latest;
    return send({ kind: 'state', state: state(), ...(metrics && { metrics }), ...(isNew && { refusals: latest }) });
  }

  async #tellAll(): Promise<void> {
    await this.#tell(await this.#reported?.registry.getMetricsAsJSON());
  }
}

function questionOf<Kind extends string>({ kind, id }: { readonly kind: Kind; readonly id: number }) {
  return { kind, id };
}

/** Resolves when the message has left, or nobody is there to take it. */
function send(message: GatewayMessage): Promise<void> {
  return new Promise((resolve) => {
    // The end of the channel shows that the primary is gone.
    if (process.connected) process.send?.(message, () => resolve());
    else resolve();
  });
}
