import type { Connection } from '../../src/redis/connection.ts';
import type { ScriptReply, Word } from '../../src/redis/scripts.ts';

/** Sends any command by its name, with its reply as Redis gave it. */
export function callCommand(
  connection: Connection,
  name: string,
  ...words: [key: string, ...Word[]]
): Promise<ScriptReply> {
  return connection.run(words[0], (client) => client.callBuffer(name, words) as Promise<ScriptReply>);
}
