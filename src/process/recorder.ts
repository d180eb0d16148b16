import { join } from 'node:path';
import type { Recording } from '../calls/call.ts';
import { readSecrets } from '../settings/secrets.ts';
import type { Settings } from '../settings.ts';
import type { CallMetrics } from '../telemetry/call-metrics.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Lifetime } from './lifetime.ts';

/** A full disk refuses every record; one log line a minute is enough. */
const FAULT_LOG_MS = 60_000;

/** The recording of a process: `calls` makes its lines, `write` takes them. */
export interface Recorder {
  readonly calls: Recording;
  readonly write: (lines: string) => void;
}

/** Opens the recording if `RECORD_FILE` is set, otherwise returns undefined. */
export async function openRecorder(
  { recording, dataDir, processNumber, processes }: Settings,
  lifetime: Lifetime,
  metrics: CallMetrics,
  log: Logger,
): Promise<Recorder | undefined> {
  if (!recording) return undefined;
  const { recordCalls } = await import('../calls/recorded-call.ts');
  const { openRecordFile } = await import('../recording/record-file.ts');
  const { keepGenerated } = await import('./secrets.ts');
  // Not a secret of the callers, so these cannot compute pseudonyms. Without the file all older pseudonyms mean nothing.
  const keyFile = join(dataDir, 'recording.key');
  const [key] = readSecrets(keepGenerated(keyFile), keyFile) as [Uint8Array];
  let toldMs = Number.NEGATIVE_INFINITY;
  const file = await openRecordFile(
    recording.file,
    { processNumber, processes },
    {
      onDrop: () => metrics.add('record_dropped'),
      onFault: ({ message }) => {
        if (performance.now() - toldMs < FAULT_LOG_MS) return;
        toldMs = performance.now();
        log.warn({ reason: message }, 'recording');
      },
    },
  );
  lifetime.add(() => file.close());
  const write = (lines: string): void => {
    metrics.add('recorded');
    file.write(lines);
  };
  return { calls: recordCalls({ sample: recording.sample, key }), write };
}
