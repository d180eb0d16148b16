import { createWriteStream, renameSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { endedBenefits, type GrantableBenefits, grantableBenefits } from '../../../../src/programme/member-check.ts';
import { scanMembers } from '../../../../src/store/member-scan.ts';
import type { StoredMember } from '../../../../src/store/members.ts';
import { Progress } from '../terminal/progress.ts';
import { assertOutputFile, partialOf } from './input-file.ts';
import { checkProgramme, openStore } from './open-store.ts';

/** The arguments as the command line passes them. */
export interface ExportArguments {
  readonly programme?: string;
  readonly out: string;
}

/** `members export`: every stored member as NDJSON, as `import` reads it. Resolves with the exit code. */
export async function exportMembersTo({ programme, out }: ExportArguments): Promise<number> {
  assertOutputFile('--out', out);
  const { store, environment } = await openStore();
  const grantable = grantableBenefits(environment.programmes);
  const progress = new Progress('members');
  let count = 0;
  async function* render(): AsyncGenerator<string> {
    for await (const { members, share } of scanMembers(store)) {
      const chosen = members.filter(({ programmeId }) => programme === undefined || programmeId === programme);
      count += chosen.length;
      yield chosen.map((member) => toExportLine(member, grantable)).join('');
      progress.show(count, share);
    }
  }
  try {
    checkProgramme(environment, programme);
    if (out === '-') await pipeline(render, process.stdout, { end: false });
    else {
      // An incomplete export under the final name would look complete.
      const partial = partialOf(out);
      await pipeline(render, createWriteStream(partial, { mode: 0o600 }));
      if (partial !== out) renameSync(partial, out);
    }
  } finally {
    store.connection.close();
  }
  progress.finish(count);
  return 0;
}

/**
 * Renders a member as a line of an export, with exactly the fields that an import reads. `ended` names the benefits of its
 * grants that the configuration no longer has, so that they read back into an empty Redis.
 */
function toExportLine(member: StoredMember, grantable: GrantableBenefits): string {
  const { programmeId, loyaltyId, status, tier, memberLabel, grants } = member;
  const ended = grantable.has(programmeId) ? endedBenefits(programmeId, grants, grantable) : [];
  const line = { programmeId, loyaltyId, status, tier, memberLabel, grants, ...(ended.length > 0 && { ended }) };
  // JSON escapes a lone surrogate, so an opaque ID is restored exactly.
  return `${JSON.stringify(line)}\n`;
}
