import type { RecordingOptions } from '../recording/record.ts';
import type { RedisAddress } from '../redis/address.ts';

/** What a worker is started with. It reads and compiles the environment's file itself: functions do not cross. */
export interface WorkerData {
  readonly environmentText: string;
  readonly environmentSource: string;
  readonly redis: RedisAddress;
  /** Folder for baskets whose answer failed its own check. */
  readonly repairDir: string;
  /** Present when answered baskets are recorded. */
  readonly recording?: RecordingOptions;
  /** Where every thread shows that it is alive (pulse.ts). */
  readonly pulse: SharedArrayBuffer;
}
