/** The end of a process: every part is closed, whatever becomes of the others, and the exit code says whether all were. */
import { expect, test } from 'vitest';
import { runNode } from '../support/run-node.ts';

/** Ends a process with these parts, from the first opened to the last one, and returns what it printed. */
async function end(parts: string): Promise<string[]> {
  const printed = await runNode(
    `
    import { pino } from 'pino';
    import { Lifetime } from './src/process/lifetime.ts';
    process.on('exit', (code) => console.log('exit', code));
    const lifetime = new Lifetime();
    const closed = (name) => () => console.log('closed', name);
    const stuck = async () => { throw new Error('it is stuck'); };
    lifetime.endOnSignals(pino(process.stdout), closed('log'));
    ${parts}
    await lifetime.end('test');`,
    {},
  );
  return printed.split('\n').map((line) => (line.startsWith('{') ? (JSON.parse(line) as { msg: string }).msg : line));
}

const BEGIN = 'draining';
const FAILURE = 'a part could not be closed';

test('parts are closed in reverse order, the log after its last line, and the process exits with 0', async () => {
  const lines = await end("lifetime.add(closed('first')); lifetime.add(closed('last'));");
  expect(lines).toEqual([BEGIN, 'closed last', 'closed first', 'stopped', 'closed log', 'exit 0']);
});

test('a part that cannot be closed is logged, the others are closed all the same, and the process exits with 1', async () => {
  const lines = await end("lifetime.add(closed('first')); lifetime.add(stuck); lifetime.add(closed('last'));");
  expect(lines).toEqual([BEGIN, 'closed last', FAILURE, 'closed first', 'stopped', 'closed log', 'exit 1']);
});

test('a part that was opened while the process was ending, and cannot be closed, is logged too', async () => {
  const lines = await end("lifetime.add(() => lifetime.add(() => { throw new Error('it is stuck'); }));");
  expect(lines).toEqual([BEGIN, FAILURE, 'stopped', 'closed log', 'exit 1']);
});
