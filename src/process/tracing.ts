import type { CallRecord } from '../gateway/call-record.ts';
import type { Settings } from '../settings.ts';
import { OWN_BUILD } from '../telemetry/build.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Lifetime } from './lifetime.ts';

/** A collector that is away loses spans every second; one log line a minute is enough. */
const LOSS_LOG_MS = 60_000;

/** What happens with the trace of an ended call. */
export type Tracer = (record: CallRecord) => void;

/** Opens the export of traces if a collector is named, otherwise returns undefined. */
export async function openTracing(
  settings: Settings,
  lifetime: Lifetime,
  log: Logger,
  environment: string,
): Promise<Tracer | undefined> {
  const { traceEndpoint, processNumber } = settings;
  if (traceEndpoint === undefined) return undefined;
  const { spansOf } = await import('../gateway/call-spans.ts');
  const { SpanExport } = await import('../telemetry/span-export.ts');
  let toldMs = Number.NEGATIVE_INFINITY;
  const spans = new SpanExport({
    endpoint: traceEndpoint,
    resource: {
      'service.name': 'loyalty-gateway',
      'service.version': OWN_BUILD.version,
      'service.instance.id': `${process.pid}-${processNumber}`,
      'deployment.environment.name': environment,
    },
    onLoss: (reason, count) => {
      if (performance.now() - toldMs < LOSS_LOG_MS) return;
      toldMs = performance.now();
      log.warn({ reason, count }, 'spans lost');
    },
  });
  lifetime.add(() => spans.close());
  return (record) => spans.add(spansOf(record));
}
