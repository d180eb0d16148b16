import type { ChildProcess } from 'node:child_process';
import type { ProcessMessage, SupervisorMessage } from './messages.ts';

/** A question to a process, which answers with a message of the same kind and number. */
export type Question = Extract<SupervisorMessage, { readonly id: number }>;
export type Reply<Kind> = Extract<ProcessMessage, { readonly kind: Kind; readonly id: number }>;

/** Why a process gave no answer. */
export type NoReply = 'ended' | 'silent';

let lastId = 0;

/** Asks one process. Never rejects. `patienceMs` is how long a process may take. */
export function askProcess<Kind extends Question['kind']>(
  child: ChildProcess | undefined,
  words: Omit<Extract<Question, { readonly kind: Kind }>, 'id'> & { readonly kind: Kind },
  patienceMs: number,
): Promise<Reply<Kind> | NoReply> {
  if (!child) return Promise.resolve('ended');
  lastId += 1;
  const id = lastId;
  return new Promise((resolve) => {
    const settle = (reply: Reply<Kind> | NoReply): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(reply);
    };
    const onMessage = (message: ProcessMessage): void => {
      if (message.kind === words.kind && 'id' in message && message.id === id) settle(message as Reply<Kind>);
    };
    const onExit = (): void => settle('ended');
    const timer = setTimeout(() => settle('silent'), patienceMs).unref();
    child.on('message', onMessage);
    child.once('exit', onExit);
    if (!child.connected) return onExit();
    child.send({ ...words, id }, (error) => {
      if (error) onExit();
    });
  });
}
