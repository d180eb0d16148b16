import { Tape } from '../load/tape.ts';
import { runClosedLoop } from './closed-loop.ts';
import { runOpenLoop } from './open-loop.ts';
import type { Command, Prepared, Reply } from './protocol.ts';

/**
 * The process that makes the load. It runs one command at a time from the channel to the harness, and is a process of
 * its own so that its CPU time is counted separately.
 */

let tape: Tape | undefined;
/** The first request of the tape that was not played yet: only replays are sent twice. */
let position = 0;

process.on('message', async (command: Command) => {
  const reply: Reply = await perform(command).then(
    (result) => ({ result }),
    (error: Error) => ({ error: error.stack ?? error.message }),
  );
  process.send?.(reply);
});

process.on('disconnect', () => process.exit(0));

async function perform(command: Command): Promise<unknown> {
  if (command.kind === 'prepare') return prepare(command);
  if (!tape) throw new Error('There is no tape yet.');
  const run =
    command.kind === 'closed'
      ? await runClosedLoop(command.load, tape, position)
      : await runOpenLoop(command.load, tape, position);
  const { played, ...result } = run;
  position += played;
  return result;
}

function prepare(command: Extract<Command, { kind: 'prepare' }>): Prepared {
  tape = new Tape(command.mix, command.secret, command.seed, command.distance);
  tape.prepare(command.count);
  position = 0;
  return { count: tape.length, bodyBytes: tape.bodyBytes };
}
