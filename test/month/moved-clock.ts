/**
 * A Redis whose clock a test moves: a proxy in front of it has every script, and TIME itself, read a clock that is off by what stands
 * in a key. Lifetimes of keys and the IDs of stream entries stay those of the real clock.
 */
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { RedisServer } from '../support/redis-server.ts';
import { SCRIPTS } from '../support/scripts.ts';

/** Seconds by which the clock is ahead. No key of the service has such a name. */
const KEY = 'clock-of-the-test';
const MOVED = `local function moved_time() local time = redis.call("TIME"); return { string.format("%.0f", tonumber(time[1]) + tonumber(redis.call("GET", "${KEY}") or 0)), time[2] } end`;

export class MovedClock {
  readonly redis: RedisServer;
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** SHA as the service calls it → SHA of the script that reads the moved clock. */
  readonly #shas = new Map<string, string>();
  #timeSha = '';

  private constructor(redis: RedisServer) {
    this.redis = redis;
    const path = join(redis.directory, 'moved.sock');
    this.url = `unix:${path}`;
    this.#server = createServer((socket) => this.#accept(socket)).listen(path);
  }

  static async launch(): Promise<MovedClock> {
    const moved = new MovedClock(await RedisServer.launch());
    if (!moved.#server.listening) await once(moved.#server, 'listening');
    const load = async (source: string) => (await moved.redis.client.script('LOAD', source)) as string;
    for (const { sha, source } of SCRIPTS.values()) {
      const [shebang, ...lines] = source.split('\n');
      const text = [shebang, MOVED, ...lines].join('\n').replaceAll("redis.call('TIME')", 'moved_time()');
      moved.#shas.set(sha, await load(text));
    }
    moved.#timeSha = await load(`#!lua\n${MOVED}\nreturn moved_time()`);
    return moved;
  }

  /** Moves the clock to an instant, from which it goes on. */
  async moveTo(instantMs: number): Promise<void> {
    await this.redis.client.set(KEY, Math.round((instantMs - Date.now()) / 1000));
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await this.redis.stop();
  }

  #accept(caller: Socket): void {
    const redis = createConnection(this.redis.socket);
    for (const socket of [caller, redis]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => this.#sockets.delete(socket));
    }
    redis.pipe(caller);
    let left: Buffer = Buffer.alloc(0);
    caller.on('data', (chunk: Buffer) => {
      left = Buffer.concat([left, chunk]);
      const commands: Buffer[] = [];
      for (let end = endOfCommand(left); end !== undefined; end = endOfCommand(left)) {
        commands.push(this.#translate(left.subarray(0, end)));
        left = left.subarray(end);
      }
      if (commands.length > 0) redis.write(Buffer.concat(commands));
    });
    caller.once('close', () => redis.end());
  }

  #translate(command: Buffer): Buffer {
    const head = command.subarray(0, 80).toString('latin1');
    if (/^\*1\r\n\$4\r\ntime\r\n$/i.test(head)) {
      return Buffer.from(`*3\r\n$7\r\nevalsha\r\n$40\r\n${this.#timeSha}\r\n$1\r\n0\r\n`);
    }
    const [, before, sha = ''] = /^(\*\d+\r\n\$7\r\nevalsha\r\n\$40\r\n)([0-9a-f]{40})/i.exec(head) ?? [];
    const other = this.#shas.get(sha);
    if (before === undefined || other === undefined) return command;
    return Buffer.concat([Buffer.from(before + other), command.subarray(before.length + sha.length)]);
  }
}

/** Where the first command of these bytes ends, a list of strings; undefined while some of it is on its way. */
function endOfCommand(bytes: Buffer): number | undefined {
  let at = 0;
  const number = (): number | undefined => {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const value = Number(bytes.subarray(at + 1, end).toString('latin1'));
    at = end + 2;
    return value;
  };
  const words = number();
  for (let word = 0; words !== undefined && word < words; word += 1) {
    const length = number();
    if (length === undefined) return undefined;
    at += length + 2;
  }
  return words === undefined || at > bytes.length ? undefined : at;
}
