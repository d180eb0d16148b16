import { writeFileSync } from 'node:fs';
import { renderEditorSchema } from '../../../../src/programme/editor-schema.ts';

/** `schema`: writes the JSON Schema of configuration files. Returns 0. */
export function writeSchema({ out }: { readonly out: string }): number {
  if (out === '-') process.stdout.write(renderEditorSchema());
  else writeFileSync(out, renderEditorSchema());
  return 0;
}
