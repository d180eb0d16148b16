import { type ClosedLoad, runClosedLoop } from './closed-loop.ts';
import { type OpenLoad, runOpenLoop } from './open-loop.ts';
import { Tape, type TapeOptions } from './tape.ts';

/**
 * The process that makes the load. It runs one command at a time from the channel to the harness, and is a process of
 * its own so that its CPU time is counted separately.
 */

let tape: Tape;

const commands = {
  prepare: async (options: TapeOptions) => {
    tape = new Tape(options);
  },
  // A load goes on where the one before it on the same tape has ended.
  closed: (load: ClosedLoad) => runClosedLoop(load, tape),
  open: (load: OpenLoad) => runOpenLoop(load, tape),
};
export type Commands = typeof commands;

/** What the harness sends: a command and its argument. */
export type Message = readonly [name: keyof Commands, argument: unknown];
export type Reply = { readonly result?: unknown; readonly error?: string };

process.on('message', async ([name, argument]: Message) => {
  const command = commands[name] as (argument: unknown) => Promise<unknown>;
  const reply: Reply = await command(argument).then(
    (result) => ({ result }),
    (error: Error) => ({ error: error.stack ?? error.message }),
  );
  process.send?.(reply);
});

process.on('disconnect', () => process.exit(0));
