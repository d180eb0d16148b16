/** The export of spans against a collector that takes connections and never answers. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type Span, SpanExport } from '../../src/telemetry/span-export.ts';

/** Before a request is given up by its own time-out. */
const BEFORE_TIMEOUT_MS = 4_000;

const span: Span = {
  ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentSpanId: 'c'.repeat(16), name: 'call' },
  ...{ isServer: true, startMs: 0, endMs: 1, isFault: false, attributes: {} },
};

test('a collector that hangs does not hold the end of the process, and its loss is told', async () => {
  const sockets: Socket[] = [];
  const collector = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  const losses: [string, number][] = [];
  const spans = new SpanExport({
    endpoint: `http://127.0.0.1:${port}`,
    resource: {},
    onLoss: (reason, count) => losses.push([reason, count]),
  });
  try {
    spans.add([span]);
    void spans.flush();
    spans.add([span, span]);
    // Timers of one process end in their order, however long the machine stands still.
    let isTooLate = false;
    const late = setTimeout(() => {
      isTooLate = true;
    }, BEFORE_TIMEOUT_MS);
    await spans.close();
    clearTimeout(late);
    expect(isTooLate).toBe(false);
    expect(losses).toEqual([
      ['the process ends', 1],
      ['the process ends', 2],
    ]);
  } finally {
    for (const socket of sockets) socket.destroy();
    collector.close();
  }
});
