import { createHash } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Fault, unknownName } from '../../../../src/programme/configuration-error.ts';
import type { Environment } from '../../../../src/programme/environment.ts';
import { createMemberCheck, grantableBenefits } from '../../../../src/programme/member-check.ts';
import { nearestName } from '../../../../src/programme/nearest-name.ts';
import { noteOwnMembers } from '../../../../src/store/dataset.ts';
import type { StoredGrant } from '../../../../src/store/members.ts';
import { LIST_LAYOUT, readCsvRows } from '../members/csv-rows.ts';
import { applyOrder, type GrantOrder } from '../members/grant-order.ts';
import { OrderTally } from '../members/grant-report.ts';
import { type MemberRow, readNdjsonRows } from '../members/rows.ts';
import { inBatches } from '../ndjson/read-lines.ts';
import { assertInputFile, assertNotInput, assertOutputFile } from './input-file.ts';
import { checkProgramme, listChange, onlyProgramme, openStore, patiently } from './open-store.ts';

/** As many members at once as keep Redis busy without delaying a till's call. */
const BATCH = 128;

/** The arguments as the command line passes them. */
export interface GrantArguments {
  readonly programme?: string;
  readonly grantId?: string;
  readonly quantity?: number;
  readonly from?: string;
  readonly to?: string;
  readonly dryRun?: boolean;
  readonly report?: string;
}

/** `members grant`: one grant for all members of a list. Resolves with the exit code. */
export function grant(benefitId: string, file: string, values: GrantArguments): Promise<number> {
  return changeGrantsOf('grant', benefitId, file, values);
}

/** `members revoke`: takes the grants of a benefit from all members of a list. Resolves with the exit code. */
export function revoke(benefitId: string, file: string, values: GrantArguments): Promise<number> {
  return changeGrantsOf('revoke', benefitId, file, values);
}

async function changeGrantsOf(
  kind: GrantOrder['kind'],
  benefitId: string,
  file: string,
  values: GrantArguments,
): Promise<number> {
  assertInputFile(file);
  if (values.report !== undefined) {
    assertOutputFile('--report', values.report);
    assertNotInput('--report', values.report, [file]);
  }
  const isDryRun = values.dryRun ?? false;
  const { store, environment } = await openStore(undefined, isDryRun);
  try {
    const order = orderOf(environment, kind, benefitId, values);
    const hash = createHash('sha256');
    const chunks = createReadStream(file).on('data', (chunk) => hash.update(chunk));
    const list = file.endsWith('.ndjson') ? readNdjsonRows(chunks) : readCsvRows(chunks, 0, LIST_LAYOUT);
    const tally = new OrderTally(isDryRun);
    const apply = (row: MemberRow) => patiently(() => applyOrder({ store, environment, order, isDryRun }, row));
    for await (const rows of inBatches(list, BATCH)) {
      for (const done of await Promise.all(rows.map(apply))) tally.add(done);
    }
    if (tally.isEmpty) throw new Error(`${file} is empty, allowed: a loyalty ID a line`);
    if (!isDryRun) {
      await noteOwnMembers(store);
      const { kind: _, grant, ...named } = order;
      const source = { file: basename(file), sha256: hash.digest('hex') };
      await listChange(store, `${kind} by list`, { ...source, ...grant, ...named, ...tally.counts });
    }
    if (values.report !== undefined) writeFileSync(values.report, tally.renderCsv(), { mode: 0o600 });
    const target = isDryRun ? 'checked only, nothing was written' : `written to ${environment.name}`;
    process.stdout.write(`${target}\n\n${tally.render(kind)}`);
    return tally.isDone ? 0 : 1;
  } finally {
    store.connection.close();
  }
}

function orderOf(
  environment: Environment,
  kind: GrantOrder['kind'],
  benefitId: string,
  values: GrantArguments,
): GrantOrder {
  const programmeId = programmeOf(kind, environment, benefitId, values.programme);
  if (kind === 'revoke') return { kind, programmeId, benefitId, grantId: values.grantId, grant: undefined };
  const { quantity, from, to } = values;
  const grant: StoredGrant = {
    benefitId,
    grantId: values.grantId ?? benefitId,
    ...(quantity !== undefined && { quantity }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  const member = { programmeId, loyaltyId: 'x', status: 'active', grants: [grant] };
  const error = createMemberCheck(environment.programmes)(member);
  if (!error) return { kind, programmeId, benefitId, grantId: grant.grantId, grant };
  const field = error.path.replace(/^grants\[0\]\.?/, '');
  if (field === 'benefitId' || field === '') throw new Error(inWords('the benefit', error));
  throw new Error(inWords(`--${field === 'grantId' ? 'grant-id' : field}`, error));
}

function inWords(option: string, { found, allowed, unknown }: Fault): string {
  const nearest = unknown && nearestName(unknown.name, unknown.known);
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `${option}: found ${found}, allowed: ${allowed}${meant}`;
}

/** The programme that is named, or the only one, or the only one with the benefit. A benefit that has ended can be revoked, in any. */
function programmeOf(
  kind: GrantOrder['kind'],
  environment: Environment,
  benefitId: string,
  named: string | undefined,
): string {
  checkProgramme(environment, named);
  if (named !== undefined) return named;
  const grantable = [...grantableBenefits(environment.programmes)];
  const having = grantable.filter(([, benefitIds]) => benefitIds.has(benefitId));
  if (kind === 'grant' && having.length === 0) {
    const benefitIds = new Set(grantable.flatMap(([, own]) => [...own]));
    throw new Error(inWords('the benefit', unknownName('benefitId', benefitId, [...benefitIds])));
  }
  const possible = (having.length > 0 ? having : grantable).map(([programmeId]) => programmeId);
  return onlyProgramme(environment, possible, 'several are possible');
}
