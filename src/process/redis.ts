import type { Connection } from '../redis/connection.ts';
import { readPseudonymKey } from '../store/pseudonyms.ts';
import type { Store } from '../store/store.ts';
import type { Logger } from '../telemetry/log.ts';

/** Whenever Redis becomes ready, reads what no call should have to wait for. */
export function prepareRedis(connection: Connection, store: () => Store, log: Logger): void {
  connection.on('ready', async () => {
    log.info('redis ready');
    try {
      // Read before a sale event needs it, so that no call waits for it while its master of a cluster is away.
      await readPseudonymKey(store());
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'redis not prepared');
    }
  });
  connection.on('down', (reason) => log.warn({ reason }, 'redis down'));
}
