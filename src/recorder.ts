import type { Lifetime } from './lifetime.ts';
import { loadPseudonymKey } from './recording/pseudonym.ts';
import type { RecordingOptions } from './recording/record.ts';
import { RecordFile } from './recording/record-file.ts';
import type { Settings } from './settings.ts';
import type { CallMetrics } from './telemetry/call-metrics.ts';

/** Recording, as a process runs it: the options make records wherever baskets are priced, `write` takes them here. */
export interface Recorder {
  readonly options: RecordingOptions;
  readonly write: (record: string) => void;
}

/** Opens the recording that `RECORD_FILE` asks for; undefined when it does not. */
export async function openRecorder(
  { recording, dataDir, processNumber }: Settings,
  lifetime: Lifetime,
  metrics: CallMetrics,
): Promise<Recorder | undefined> {
  if (!recording) return undefined;
  const key = loadPseudonymKey(dataDir);
  const file = await RecordFile.open(recording.file, processNumber, () => metrics.add('record_dropped'));
  lifetime.add(() => file.close());
  const write = (record: string): void => {
    metrics.add('recorded');
    file.write(record);
  };
  return { options: { sample: recording.sample, key }, write };
}
