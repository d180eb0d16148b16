import { writeFileSync } from 'node:fs';
import { renderEventSchema } from '@loyalty/contract/event-document';
import { renderEditorSchema } from '../../../../src/programme/editor-schema.ts';
import { assertOutputFile } from './input-file.ts';

/** `schema`: writes the JSON Schema of configuration files, or of the events. Returns 0. */
export function writeSchema({ out, events }: { readonly out: string; readonly events?: true }): number {
  assertOutputFile('--out', out);
  const schema = events ? renderEventSchema() : renderEditorSchema();
  if (out === '-') process.stdout.write(schema);
  else writeFileSync(out, schema);
  return 0;
}
