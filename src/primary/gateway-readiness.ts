import type { GatewayProcess } from './gateway-process.ts';

/** What readiness, and systemd's watchdog, say of the gateways in their places. */
export class GatewayReadiness {
  readonly #members: readonly GatewayProcess[];
  readonly #hasFailed: (index: number) => boolean;
  /** True once every gateway served or had failed at the same time. */
  #hasStarted = false;

  /** `members` stays up to date. `hasFailed`: a gateway of this place has ended at least once. */
  constructor(members: readonly GatewayProcess[], hasFailed: (index: number) => boolean) {
    this.#members = members;
    this.#hasFailed = hasFailed;
  }

  /** Looks whether the start is over: after every report, turn and end of a gateway, so that it does not depend on who asks when. */
  look(): void {
    this.#hasStarted ||= this.#members.every(({ isServing }, index) => isServing || this.#hasFailed(index));
  }

  /** True while a gateway listens and reports. Whether Redis lets it serve is another question: a restart brings no Redis. */
  get isAnswering(): boolean {
    return this.#members.some(({ isListening, isSilent }) => isListening && !isSilent);
  }

  /** How many answer the calls that reach them. */
  get serving(): number {
    return this.#members.filter(({ isServing }) => isServing).length;
  }

  /** How many gateways serve and why the others do not; undefined when all serve. */
  get #shortfall(): string | undefined {
    const serving = this.serving;
    if (serving === this.#members.length) return undefined;
    const reasons = this.#members.flatMap(({ isServing, reasons: own }, index) =>
      isServing ? [] : own.map((reason) => `${index + 1}: ${reason}`),
    );
    return `${serving} of ${this.#members.length} processes serve; ${reasons.join('; ')}`;
  }

  /**
   * The reason why the service is not ready. At the start every gateway is waited for, until it serves or has failed. From
   * then on one gateway that serves is enough, because the kernel gives no connection to gateways that have ended or do
   * not listen. A silent gateway is different: it gets its share of the connections.
   */
  get red(): string | undefined {
    const isRed = !this.#hasStarted || this.serving === 0 || this.#members.some(({ isSilent }) => isSilent);
    return isRed ? this.#shortfall : undefined;
  }

  /** The names of the checks that are red, or `processes` where none of the gateways' own is; empty while the service is ready. */
  get redNames(): readonly string[] {
    if (this.red === undefined) return [];
    const names = Object.keys(this.redChecks);
    return names.length === 0 ? ['processes'] : names;
  }

  /** The gateways' own red checks by name, with the reason of each that has one; empty while the service is ready. */
  get redChecks(): Readonly<Record<string, string>> {
    if (this.red === undefined) return {};
    const answering = this.#members.filter(({ state, hasEnded }) => state && !hasEnded);
    if (answering.some(({ isSilent }) => isSilent)) return {};
    const names = new Set(answering.flatMap(({ state }) => Object.keys(state?.red ?? {})));
    const reasonsOf = (name: string) => new Set(answering.flatMap(({ state }) => state?.red[name] ?? []));
    return Object.fromEntries([...names].map((name) => [name, [...reasonsOf(name)].join('; ')]));
  }

  /** Says that gateways are missing although the service is ready; undefined when none is. */
  get fact(): string | undefined {
    return this.red === undefined ? this.#shortfall : undefined;
  }

  /** What gateways report as the fact of this name, each sentence once; undefined when none reports it. */
  factOf(name: string): string | undefined {
    const told = new Set(this.#members.flatMap(({ state }) => state?.facts[name] ?? []));
    return told.size === 0 ? undefined : [...told].join('; ');
  }
}
