import { createHash } from 'node:crypto';
import type { RedisClient } from './client.ts';
import type { Connection } from './connection.ts';

/** A Lua script. It is called by its SHA, and sent as a whole when Redis lacks it: after a restart, a failover or `SCRIPT FLUSH`. */
export interface Script {
  /** For errors, which otherwise name only the hash and a line of the source. */
  readonly name: string;
  readonly source: string;
  readonly sha: string;
}

/** A reply of Redis: integers as numbers, strings as bytes, nil as null, nested lists. */
export type ScriptReply = null | number | Buffer | ScriptReply[];

/** A word of a command. Text is sent as UTF-8, bytes as they are. */
export type Word = string | number | Buffer;

/** Calls a script in one round trip. Throws `StoreUnavailable`, or an error reply that only a bug explains. */
export function callScript(
  connection: Connection,
  script: Script,
  keys: readonly string[],
  args: readonly Word[],
): Promise<ScriptReply> {
  const words = [keys.length, ...keys, ...args];
  const evaluate = (client: RedisClient) =>
    (client.callBuffer('evalsha', [script.sha, ...words]) as Promise<ScriptReply>).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw located(script, error);
      const whole = client.callBuffer('eval', [script.source, ...words]) as Promise<ScriptReply>;
      return whole.catch((failure: unknown) => {
        throw located(script, failure);
      });
    });
  return connection.run(keys[0] as string, evaluate);
}

/**
 * Adds the script and the text of its line to an error that a script has made. The line is one of the source as it was rendered
 * (store/scripts.ts), which `npm run lua` writes to a file.
 */
function located({ name, source }: Script, error: unknown): unknown {
  const line = error instanceof Error ? /\buser_script:(\d+)/.exec(error.message)?.[1] : undefined;
  if (line !== undefined) (error as Error).message += ` [${name}: ${source.split('\n')[Number(line) - 1]?.trim()}]`;
  return error;
}

/** A script of this text. */
export function scriptOf(name: string, source: string): Script {
  return { name, source, sha: createHash('sha1').update(source).digest('hex') };
}

/** Converts a bulk string of a reply into text. */
export function replyText(reply: ScriptReply | undefined): string {
  if (!Buffer.isBuffer(reply)) throw new Error('A script answered something else than a string.');
  return reply.toString('utf8');
}
