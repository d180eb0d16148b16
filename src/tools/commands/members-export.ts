import { once } from 'node:events';
import { createWriteStream, renameSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { grantableBenefits } from '../../programme/member-check.ts';
import { scanMembers } from '../../store/member-scan.ts';
import { toExportLine } from '../members/export.ts';
import { Progress } from '../terminal/progress.ts';
import { openStore } from './open-store.ts';

const STDOUT = '-';

/** The arguments as the command line passes them. */
export interface ExportArguments {
  readonly programme?: string;
  readonly out: string;
}

/** `members export`: every stored member as NDJSON, as `import` reads it. Resolves with the exit code. */
export async function exportMembersTo(values: ExportArguments): Promise<number> {
  const { store, environment } = await openStore();
  const grantable = grantableBenefits(environment.programmes);
  // An incomplete export under the final name would look complete.
  const partial = `${values.out}.partial`;
  const out = values.out === STDOUT ? process.stdout : createWriteStream(partial, { mode: 0o600 });
  const failed = once(out, 'error').then(([error]) => Promise.reject(error as Error));
  failed.catch(() => undefined);
  const progress = new Progress('members');
  let count = 0;
  try {
    for await (const { members, share } of scanMembers(store)) {
      const chosen = members.filter(
        ({ programmeId }) => values.programme === undefined || programmeId === values.programme,
      );
      count += chosen.length;
      const isFull = chosen.length > 0 && !out.write(chosen.map((member) => toExportLine(member, grantable)).join(''));
      if (isFull) await Promise.race([once(out, 'drain'), failed]);
      progress.show(count, share);
    }
    if (out !== process.stdout) await Promise.race([end(out), failed]);
  } finally {
    store.connection.close();
  }
  if (out !== process.stdout) renameSync(partial, values.out);
  progress.finish(count);
  return 0;
}

async function end(out: Writable): Promise<void> {
  out.end();
  await once(out, 'finish');
}
