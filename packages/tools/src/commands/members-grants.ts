import { createHash } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Fault, unknownName } from '../../../../src/programme/configuration-error.ts';
import type { Environment } from '../../../../src/programme/environment.ts';
import { checkMemberShape, createMemberCheck, grantableBenefits } from '../../../../src/programme/member-check.ts';
import { nearestName } from '../../../../src/programme/nearest-name.ts';
import { noteOwnMembers } from '../../../../src/store/dataset.ts';
import type { StoredGrant } from '../../../../src/store/members.ts';
import { LIST_LAYOUT } from '../members/csv-header.ts';
import { readCsvRows } from '../members/csv-rows.ts';
import { applyOrder, type DoneRow, type GrantOrder } from '../members/grant-order.ts';
import { OrderTally } from '../members/grant-report.ts';
import { NOTHING_DONE } from '../members/import.ts';
import { readNdjsonRows } from '../members/ndjson-rows.ts';
import { patiently } from '../members/patience.ts';
import type { MemberRow } from '../members/rows.ts';
import { assertInputFile, assertNotInput } from './input-file.ts';
import { checkProgramme, listChange, openStore } from './open-store.ts';

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
  if (values.report !== undefined) assertNotInput('--report', values.report, [file]);
  const isDryRun = values.dryRun ?? false;
  const { store, environment } = await openStore(undefined, isDryRun);
  try {
    const order = orderOf(environment, kind, benefitId, values);
    const hash = createHash('sha256');
    const tally = new OrderTally(isDryRun);
    let waiting: MemberRow[] = [];
    const finish = async (): Promise<void> => {
      const rows = waiting;
      waiting = [];
      const done = await Promise.all(
        rows.map((row) => patiently(() => applyOrder({ store, environment, order, isDryRun }, row))),
      );
      for (const row of done) tally.add(row);
    };
    for await (const rows of openList(file, hash)) {
      for (const row of rows) {
        waiting.push(row);
        if (waiting.length >= BATCH) await finish();
      }
    }
    await finish();
    if (tally.rows.length === 0) throw new Error(`${file} is empty, allowed: a loyalty ID a line`);
    if (!isDryRun) {
      await noteOwnMembers(store);
      const { programmeId, grantId, grant } = order;
      const { quantity, from, to } = grant ?? {};
      const facts = {
        ...{ file: basename(file), sha256: hash.digest('hex'), programmeId, benefitId, grantId, quantity, from, to },
        ...tally.counts,
      };
      const action = kind === 'grant' ? 'grant by list' : 'revoke by list';
      await listChange(store, action, facts);
    }
    if (values.report !== undefined) writeFileSync(values.report, tally.renderTable(), { mode: 0o600 });
    const target = isDryRun ? 'checked only, nothing was written' : `written to ${environment.name}`;
    process.stdout.write(`${target}\n\n${tally.render(kind)}`);
    return tally.rows.some(isLeftOut) ? 1 : 0;
  } finally {
    store.connection.close();
  }
}

function isLeftOut({ outcome }: DoneRow): boolean {
  return outcome === 'unknown' || outcome === 'rejected' || outcome === 'in the file';
}

async function* openList(file: string, hash: ReturnType<typeof createHash>): AsyncGenerator<MemberRow[]> {
  const chunks = createReadStream(file).on('data', (chunk) => hash.update(chunk));
  const { position } = NOTHING_DONE;
  yield* file.endsWith('.ndjson') ? readNdjsonRows(chunks, position) : readCsvRows(chunks, position, LIST_LAYOUT);
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
    ...{ benefitId, grantId: values.grantId ?? benefitId },
    ...(quantity !== undefined && { quantity }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  const member = { programmeId, loyaltyId: 'x', status: 'active', grants: [grant] };
  const error = checkMemberShape(member, '') ?? createMemberCheck(environment.programmes)(member);
  if (!error) return { kind, programmeId, benefitId, grantId: grant.grantId, grant };
  const field = error.path.replace(/^grants\[0\]\.?/, '');
  const option =
    field === 'benefitId' || field === '' ? 'the benefit' : `--${field === 'grantId' ? 'grant-id' : field}`;
  throw new Error(inWords(option, error));
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
  const { programmes } = environment;
  const known = programmes.map(({ programmeId }) => programmeId);
  const grantable = grantableBenefits(programmes);
  const having = known.filter((programmeId) => grantable.get(programmeId)?.has(benefitId));
  if (kind === 'grant' && named === undefined && having.length === 0) {
    const benefitIds = [...grantable.values()].flatMap((own) => [...own]);
    throw new Error(inWords('the benefit', unknownName('benefitId', benefitId, [...new Set(benefitIds)])));
  }
  const [only, ...others] = named !== undefined ? [named] : having.length > 0 ? having : known;
  if (only === undefined || others.length > 0) {
    throw new Error(`--programme: found nothing, allowed: one of ${known.join(', ')}, because several are possible`);
  }
  return only;
}
