import { repeat } from '../process/repeat.ts';
import { readUnread } from '../store/event-stream.ts';
import { readRedisMs } from '../store/redis-clock.ts';
import type { EventFigures } from '../telemetry/primary-exposition.ts';
import type { InForce } from './in-force.ts';

const INTERVAL_MS = 5000;
/** Each group is a series of Prometheus, and whoever reads events names it. */
const MAX_GROUPS = 20;
const MS_PER_SECOND = 1000;

/** Reads for `/metrics` how far the consumer groups of the event streams are. */
export class EventWatch {
  /** Ends the readings. */
  readonly close: () => void;
  readonly #inForce: () => InForce;
  #unread: EventFigures['unread'] = [];

  constructor(inForce: () => InForce) {
    this.#inForce = inForce;
    // Without Redis the last figures stay.
    const read = () => this.#read().catch(() => undefined);
    this.close = repeat(INTERVAL_MS, read);
    void read();
  }

  get figures(): EventFigures {
    return { retentionSeconds: this.#inForce().store.periods.retentionMs / MS_PER_SECOND, unread: this.#unread };
  }

  async #read(): Promise<void> {
    const { store } = this.#inForce();
    const [nowMs, unread] = await Promise.all([readRedisMs(store.connection), readUnread(store)]);
    const groups = [...unread].sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, MAX_GROUPS);
    this.#unread = groups.map(([group, oldestMs]) => ({
      group,
      ageSeconds: oldestMs === undefined ? 0 : Math.max(0, nowMs - oldestMs) / MS_PER_SECOND,
    }));
  }
}
