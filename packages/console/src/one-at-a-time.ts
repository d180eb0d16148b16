import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const answering = new WeakSet<Socket>();

/**
 * One request at a time on each connection. Node answers pipelined requests without end, and each chunk that a socket
 * receives holds some thousand of them, all of which would be handled in one turn of the event loop that calls share.
 * No browser, scraper or probe pipelines, so a connection that does is closed. Returns false for a request behind one that
 * is still being answered: its connection is closed, nothing is owed.
 */
export function isAlone({ socket }: IncomingMessage, response: ServerResponse): boolean {
  if (socket.destroyed) return false;
  if (answering.has(socket)) {
    socket.destroy();
    return false;
  }
  answering.add(socket);
  response.once('close', () => answering.delete(socket));
  return true;
}
