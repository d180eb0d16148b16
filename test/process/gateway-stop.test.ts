/** The stop of a gateway that reports an error on its way out. */
import { expect, test } from 'vitest';
import { runNode } from '../support/run-node.ts';

test('a gateway whose process reports an error while it is stopped is waited for all the same', async () => {
  const printed = await runNode(
    `
    import cluster from 'node:cluster';
    import { GatewayProcess, setUpForks } from './src/primary/gateway-process.ts';
    setUpForks([]);
    // It ends when it is told to, as every process does.
    cluster.setupPrimary({ exec: 'test/process/idle-process.ts', execArgv: [] });
    const gateway = new GatewayProcess(1, { variables: {}, configuration: {} }, {
      ...{ onHung: () => {}, onRefusals: () => {} },
      onPhase: ({ phase, end }) => console.log(phase, 'by', end?.signal),
    });
    const [worker] = Object.values(cluster.workers);
    await new Promise((resolve) => worker.once('online', resolve));
    const stopped = gateway.stop();
    worker.process.emit('error', new Error('kill EPERM'));
    await stopped.then(() => console.log('stopped'), (error) => console.log(error.message));
    process.exit();`,
    {},
  );
  expect(printed.split('\n')).toEqual(['ended by SIGTERM', 'stopped']);
});
