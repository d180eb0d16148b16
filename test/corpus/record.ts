/** Records the corpus anew: `.toolchain/bin/node test/corpus/record.ts`, after reading what the test shows. */
import { cleanUp } from '../support/cleanup.ts';
import { playStage } from './play.ts';
import { writeRecordings } from './recordings.ts';
import { STAGES } from './stages.ts';

try {
  await Promise.all(Object.values(STAGES).map(async (words) => writeRecordings(await playStage(words))));
} finally {
  cleanUp();
}
