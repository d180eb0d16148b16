import type { ScriptReply } from '../../src/redis/scripts.ts';

/** A reply of a script with texts in place of bytes. */
// biome-ignore lint/suspicious/noExplicitAny: a reply has the form that the script's header says, and a test names it.
export function plain(reply: ScriptReply): any {
  if (Buffer.isBuffer(reply)) return reply.toString();
  return Array.isArray(reply) ? reply.map(plain) : reply;
}
