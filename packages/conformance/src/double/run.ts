import type { ErrorCode } from '@loyalty/contract/errors';
import type { SaleEvent } from '@loyalty/contract/sale';
import { BoundedMap } from './bounded-map.ts';
import { ContractSide, MAX_CALCULATIONS, type Place } from './contract-side.ts';

/** A request that reached the double. */
export interface SeenRequest {
  /** The test's own name, where it gave one by header or path. */
  readonly run: string | undefined;
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string | undefined;
  /** The misbehaviour that was played; undefined for an honest answer. */
  readonly code: string | undefined;
  /** The misbehaviour that its header or its loyalty ID names, be it played now or with the sale event. */
  readonly named: string | undefined;
  /** Why the request itself was refused; undefined for one that keeps the contract. */
  readonly refused: ErrorCode | undefined;
  /** Connections are numbered as they come. */
  readonly connection: number;
  /** True when it came with TLS. */
  readonly isSecure: boolean;
  readonly atMs: number;
  /** The same moment as RFC 3339 in UTC. */
  readonly at: string;
  /** SHA-256 of the body in hex. */
  readonly bodySha256: string;
  /** The earlier calculation that a basket names. */
  readonly supersedes: string | undefined;
  /** The outcome that an event reports. */
  readonly event: Pick<SaleEvent, 'status' | 'failureReason'> | undefined;
  /** The status of the answer, once one was sent as HTTP. */
  status?: number;
  /** Milliseconds until the answer was complete or the connection ended; undefined while neither has happened. */
  openMs?: number;
}

/** A connection row that was armed, and what came of it before any request. */
export interface Arming {
  readonly code: string;
  readonly atMs: number;
  readonly at: string;
  /** Connections that the row met: number and time. */
  readonly connections: { readonly connection: number; readonly atMs: number; readonly at: string }[];
  /** True when the call came by plain HTTP to a row of TLS, which shows nothing. */
  isPlain?: boolean;
}

/** Requests that are kept of a run; a record that is full certifies nothing. */
const MAX_SEEN = 100_000;

/** Everything of one test: what reached the double, what is armed, which calculations it remembers. */
export class Run {
  readonly contract: ContractSide;
  seen: SeenRequest[] = [];
  armings: Arming[] = [];
  /** The misbehaviour of the next request. */
  armed: string | undefined;
  isFull = false;
  /** How often each calculation's event has met its misbehaviour. */
  readonly #played = new BoundedMap<number>(MAX_CALCULATIONS);

  constructor(secret: Uint8Array, place: Place) {
    this.contract = new ContractSide(secret, place);
  }

  note(request: SeenRequest): void {
    if (this.seen.length < MAX_SEEN) this.seen.push(request);
    else this.isFull = true;
  }

  /** Counts an event of a calculation, and returns how many came before it. */
  countEvent(calculationId: string): number {
    const times = this.#played.get(calculationId) ?? 0;
    this.#played.set(calculationId, times + 1);
    return times;
  }

  /** Forgets what was seen, and nothing that a service would remember. Returns how many requests that were. */
  forget(): number {
    const count = this.seen.length;
    this.seen = [];
    this.armings = [];
    this.isFull = false;
    return count;
  }
}
