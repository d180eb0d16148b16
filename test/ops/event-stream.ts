/** Server-sent events as a test reads them (HTML standard, 9.2): one line of data each, as JSON. */

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
