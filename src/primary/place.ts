import { setTimeout as sleep } from 'node:timers/promises';
import { RestartDelay } from '../redis/restart-delay.ts';
import type { Logger } from '../telemetry/log.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { type End, GatewayProcess, type Phase, type StartWith } from './gateway-process.ts';

const POLL_MS = 20;
/** A gateway that is not ready by then does not take the place of a working one. */
const REPLACEMENT_PATIENCE_MS = 60_000;
/** A replaced gateway ends by itself long before; one that hangs is ended. */
const LEAVING_PATIENCE_MS = 30_000;

/** What all places share. */
export interface Around {
  readonly log: Logger;
  /** Where the counts of a gateway that has ended are kept. */
  readonly metrics: GatewayMetrics;
  /** What a gateway that starts now is given. */
  readonly startWith: () => StartWith;
  /** How many gateways answer calls, and how many there have to be. */
  readonly strength: () => { readonly serving: number; readonly expected: number };
  /** Called after every change of a phase, and after a gateway has taken the place of another. */
  readonly onChange: () => void;
  readonly onRefusals: () => void;
}

/**
 * The place of one of the gateways that there have to be. It starts the gateway in it again when that one ends or hangs, and
 * replaces it by newer code: the new gateway starts beside the old one, takes the place when it serves, and the old one leaves.
 */
export class Place {
  /** From 1. */
  readonly number: number;
  readonly #around: Around;
  readonly #delay = new RestartDelay();
  #gateway: GatewayProcess;
  /** The gateway that starts in the stead of the one in the place. */
  #successor: GatewayProcess | undefined;
  /** Gateways that had the place before and are ending. */
  readonly #leaving = new Set<GatewayProcess>();
  #lastEnd: End | undefined;
  #hung = 0;
  #isClosed = false;

  /** Starts its first gateway. */
  constructor(number: number, around: Around) {
    [this.number, this.#around] = [number, around];
    this.#gateway = this.#start();
  }

  /** The gateway in the place. */
  get gateway(): GatewayProcess {
    return this.#gateway;
  }

  /** The gateway in the place, the one that starts in its stead, and those that leave. */
  get processes(): readonly GatewayProcess[] {
    const successors = this.#successor === undefined ? [] : [this.#successor];
    return [this.#gateway, ...successors, ...this.#leaving];
  }

  /** How the last gateway that ended in the place did so; undefined while none has. */
  get lastEnd(): End | undefined {
    return this.#lastEnd;
  }

  /** How many of its gateways were killed because they hung. */
  get hung(): number {
    return this.#hung;
  }

  /** Counts a tick of the primary's timer. */
  tick(): void {
    for (const gateway of this.processes) gateway.countTick();
  }

  /**
   * Replaces the gateway by a new one, which serves before the old one stops listening. False when the new one does not become
   * ready: it is ended, and the old one stays. Never rejects.
   */
  async replace(): Promise<boolean> {
    if (this.#isClosed) return false;
    const next = this.#start();
    this.#successor = next;
    const endMs = performance.now() + REPLACEMENT_PATIENCE_MS;
    const isSettled = () => next.phase === 'serving' || next.phase === 'ended';
    while (!isSettled() && performance.now() < endMs && !this.#isClosed) await sleep(POLL_MS);
    if (this.#isClosed) return false;
    if (next.phase !== 'serving') {
      const reason = next.phase === 'ended' ? 'it ended' : next.reasons.join('; ');
      const { log } = this.#around;
      log.error({ replaced: this.number, reason }, 'replacement is not ready, the old process stays');
      await next.stop();
      return false;
    }
    const old = this.#gateway;
    [this.#gateway, this.#successor] = [next, undefined];
    if (old.phase !== 'ended') this.#retire(old);
    this.#around.onChange();
    return true;
  }

  /** Ends all gateways of the place, and starts none any more. Never rejects. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.processes.map((gateway) => gateway.stop()));
  }

  #start(): GatewayProcess {
    return new GatewayProcess(this.number, this.#around.startWith(), {
      onPhase: (gateway, before) => this.#follow(gateway, before),
      onHung: (gateway) => this.#killHung(gateway),
      onRefusals: this.#around.onRefusals,
    });
  }

  #retire(gateway: GatewayProcess): void {
    this.#leaving.add(gateway);
    gateway.retire();
    setTimeout(() => void gateway.stop(), LEAVING_PATIENCE_MS).unref();
  }

  /** What follows from a change of a gateway's phase. */
  #follow(gateway: GatewayProcess, before: Phase): void {
    if (this.#isClosed) {
      // The operations port tells of its counts until the last one has ended.
      if (gateway.phase === 'ended') this.#around.metrics.retire(gateway.metrics, false);
      return;
    }
    const { log } = this.#around;
    const { number, pid, phase } = gateway;
    if (phase === 'ended') this.#takeEnd(gateway);
    else if (phase === 'silent') log.warn({ silent: number, pid }, 'process does not report');
    else if (before === 'silent') log.info({ silent: number }, 'process reports again');
    this.#around.onChange();
  }

  #killHung(gateway: GatewayProcess): void {
    const { number, pid } = gateway;
    this.#hung += 1;
    this.#around.log.error({ hung: number, pid }, 'process hung, it is killed and replaced');
    gateway.kill();
  }

  #takeEnd(gateway: GatewayProcess): void {
    const isFault = gateway === this.#gateway;
    this.#around.metrics.retire(gateway.metrics, isFault);
    if (isFault) this.#startAgain(gateway);
    else if (gateway === this.#successor) this.#successor = undefined;
    else this.#leaving.delete(gateway);
  }

  #startAgain(gateway: GatewayProcess): void {
    this.#lastEnd = gateway.end;
    const startsInMs = this.#delay.take(performance.now() - gateway.startedMs);
    const facts = { ended: this.number, ...gateway.end, startsInMs, ...this.#around.strength() };
    const what = gateway.end?.reason === undefined ? 'ended' : 'could not be started';
    this.#around.log.error(facts, `process ${what}, it is started again`);
    const start = (): void => {
      // Meanwhile a replacement may have taken the place.
      if (!this.#isClosed && this.#gateway === gateway) this.#gateway = this.#start();
    };
    setTimeout(start, startsInMs).unref();
  }
}
