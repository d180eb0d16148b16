import type { Readiness } from '../telemetry/readiness.ts';
import type { GatewayProcess } from './gateway-process.ts';
import type { Place } from './place.ts';

/** What readiness, and systemd's watchdog, say of the gateways in their places. */
export class GatewayReadiness {
  readonly #places: readonly Pick<Place, 'gateway' | 'lastEnd'>[];
  /** True once every gateway served or had failed at the same time. */
  #hasStarted = false;
  #isDraining = false;

  constructor(places: readonly Pick<Place, 'gateway' | 'lastEnd'>[]) {
    this.#places = places;
  }

  get #members(): readonly GatewayProcess[] {
    return this.#places.map(({ gateway }) => gateway);
  }

  /** Looks whether the start is over: after every change of the gateways, so that it does not depend on who asks when. */
  look(): void {
    this.#hasStarted ||= this.#places.every(({ gateway, lastEnd }) => gateway.phase === 'serving' || lastEnd);
  }

  /** From now on the service takes no calls, whatever its gateways have reported last. */
  drain(): void {
    this.#isDraining = true;
  }

  /** True while a gateway listens and reports. Whether Redis lets it serve is another question: a restart brings no Redis. */
  get isAnswering(): boolean {
    return this.#members.some(({ isListening, phase }) => isListening && phase !== 'silent');
  }

  /** How many answer the calls that reach them. */
  get serving(): number {
    return this.#members.filter(({ phase }) => phase === 'serving').length;
  }

  /**
   * True while the service is ready. At the start every gateway is waited for, until it serves or has failed. From
   * then on one gateway that serves is enough, because the kernel gives no connection to gateways that have ended or do
   * not listen. A silent gateway is different: it gets its share of the connections.
   */
  get isReady(): boolean {
    const { serving } = this;
    if (this.#isDraining) return false;
    if (serving === this.#members.length) return true;
    return this.#hasStarted && serving > 0 && this.#members.every(({ phase }) => phase !== 'silent');
  }

  /** What readiness says now. */
  read(): Readiness {
    const facts = join(this.#members.flatMap(({ state }) => (state ? [state.facts] : [])));
    const shortfall = this.#shortfall;
    const processes = shortfall === undefined ? {} : { processes: shortfall };
    // Gateways may be missing although the service is ready.
    if (this.isReady) return { causes: [], red: {}, facts: { ...processes, ...facts } };
    const own = { ...this.#ownChecks(), ...(this.#isDraining && { admission: 'draining' }) };
    const names = Object.keys(own);
    if (names.length === 0) return { causes: ['processes'], red: processes, facts };
    // A check of a gateway says it all where there is one gateway.
    return { causes: names, red: this.#members.length === 1 ? own : { ...processes, ...own }, facts };
  }

  /** How many gateways serve and why the others do not; undefined when all serve. */
  get #shortfall(): string | undefined {
    const serving = this.serving;
    if (serving === this.#members.length) return undefined;
    const reasons = this.#members.flatMap(({ phase, reasons: own }, index) =>
      phase === 'serving' ? [] : own.map((reason) => `${index + 1}: ${reason}`),
    );
    return `${serving} of ${this.#members.length} processes serve; ${reasons.join('; ')}`;
  }

  /** The gateways' own red checks; none while one of them is silent, which is what is wrong then. */
  #ownChecks(): Record<string, string> {
    if (this.#members.some(({ phase }) => phase === 'silent')) return {};
    return join(this.#members.flatMap(({ state, phase }) => (state && phase !== 'ended' ? [state.red] : [])));
  }
}

/** What several gateways say by name, each sentence once. */
function join(said: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const names = new Set(said.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(
    [...names].map((name) => [name, [...new Set(said.flatMap((one) => one[name] ?? []))].join('; ')]),
  );
}
