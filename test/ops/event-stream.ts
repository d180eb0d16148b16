/** Server-sent events as a test reads them (HTML standard, 9.2): one line of data each, as JSON. */
import { until } from '../support/wait.ts';

export interface EventStream {
  /** The data of the next event of that name; others are passed over. Throws when the stream ends. */
  next<T>(name: string): Promise<T>;
  close(): void;
}

/** Opens a stream. Throws when it is refused. */
export async function openEventStream(url: string): Promise<EventStream> {
  const abort = new AbortController();
  const answer = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: abort.signal });
  if (answer.status !== 200 || !answer.body) throw new Error(`the stream was answered ${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async <T>(name: string): Promise<T> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const [event, data] = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        if (event === `event: ${name}`) return JSON.parse((data ?? '').slice('data: '.length)) as T;
        continue;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error('the stream ended');
      text += value;
    }
  };
  return { next, close: () => abort.abort() };
}

/** Opens so many streams as soon as the service has places for them: a stream takes one until the service hears of its end. */
export function openEventStreams(url: string, count: number): Promise<EventStream[]> {
  return until(`places for ${count} streams`, async () => {
    const attempts = await Promise.allSettled(Array.from({ length: count }, () => openEventStream(url)));
    const streams = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    if (streams.length === count) return streams;
    for (const stream of streams) stream.close();
    return undefined;
  });
}
