/**
 * A command of `loyalty` in the test's own process: half a second of loading for each of some hundred commands is more than
 * their work. What a process is needed for (signals, pipes, standard input, a terminal) is tested with one, in `test/tools`.
 */
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { createProgram } from '../../packages/tools/src/command-line/program.ts';
import { runCommandLine } from '../../packages/tools/src/command-line/strict.ts';

/** A command that ends in order by them leaves its listeners to the end of its process. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `loyalty` with these arguments and nothing but these environment variables. One command at a time. */
export async function runCommand(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const printed = { stdout: '', stderr: '' };
  const own = { env: process.env, console: globalThis.console };
  const writers = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name];
    const [write, listeners] = [stream.write, stream.listeners('error')];
    const collect = (chunk: Buffer | string) => {
      printed[name] += chunk.toString();
    };
    stream.write = ((chunk: Buffer | string, ...rest: unknown[]) => {
      collect(chunk);
      const done = rest.find((argument) => typeof argument === 'function');
      if (done) process.nextTick(done as () => void);
      return true;
    }) as typeof stream.write;
    const restore = () => {
      stream.write = write;
      for (const listener of stream.listeners('error'))
        if (!listeners.includes(listener)) stream.off('error', listener as () => void);
    };
    return { collect, restore };
  });
  const [stdout, stderr] = writers.map(
    ({ collect }) =>
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          collect(chunk);
          done();
        },
      }),
  );
  const heard = new Map(SIGNALS.map((name) => [name, process.listeners(name)]));
  try {
    process.env = { ...env };
    globalThis.console = new Console(stdout!, stderr);
    await runCommandLine(createProgram(), 'loyalty', args);
    return { code: Number(process.exitCode ?? 0), ...printed };
  } finally {
    process.env = own.env;
    globalThis.console = own.console;
    process.exitCode = undefined;
    for (const { restore } of writers) restore();
    for (const [name, listeners] of heard)
      for (const listener of process.listeners(name)) if (!listeners.includes(listener)) process.off(name, listener);
  }
}
