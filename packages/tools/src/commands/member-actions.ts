import { renameSync, writeFileSync } from 'node:fs';
import { eraseWithCertificate } from '../../../../src/administration/erase.ts';
import { copyMember } from '../../../../src/administration/member-copy.ts';
import type { Environment } from '../../../../src/programme/environment.ts';
import { findCounters, giveBack } from '../../../../src/store/give-back.ts';
import { readAllCounters } from '../../../../src/store/holds.ts';
import { memberToken } from '../../../../src/store/keys.ts';
import { isKnownMember, readMember } from '../../../../src/store/members.ts';
import { mergeMembers } from '../../../../src/store/merge.ts';
import { resolveMerged } from '../../../../src/store/merged.ts';
import { pseudonymOf } from '../../../../src/store/pseudonyms.ts';
import type { Store } from '../../../../src/store/store.ts';
import { assertOutputFile, partialOf } from './input-file.ts';
import { checkProgramme, listChange, onlyProgramme, openStore, userName } from './open-store.ts';

/** `members merge`, `give-back`, `copy` and `erase`: what is done to one member at a time. Each resolves with the exit code. */

export interface ActionArguments {
  readonly programme?: string;
}

interface Opened {
  readonly store: Store;
  readonly environment: Environment;
  readonly programmeId: string;
  /** The loyalty ID of the member, which may have been merged into another one. */
  readonly present: string;
}

/** `members merge OLD NEW`. */
export function merge(oldId: string, newId: string, values: ActionArguments): Promise<number> {
  return withMember(oldId, values, [oldId, newId], async ({ store, programmeId }) => {
    if (oldId === newId) throw new Error('the two loyalty IDs are the same');
    const done = await mergeMembers(store, programmeId, oldId, newId);
    if (done.outcome !== 'merged') {
      const which = JSON.stringify(done.which === 'old' ? oldId : newId);
      if (done.outcome === 'unknown') throw new Error(`programme ${programmeId} has no member ${which}`);
      const into = JSON.stringify(done.into);
      if (done.outcome === 'elsewhere') throw new Error(`${which} was already merged into ${into}`);
      throw new Error(`${which} is being merged into ${into}; run the command again`);
    }
    const { grants, counters, calculations, holds, isRepeated } = done.merged;
    const into = await pseudonymOf(store, memberToken(programmeId, newId));
    await note(store, 'merge member', programmeId, oldId, { into, ...done.merged });
    const again = isRepeated ? ' They had been merged before.' : '';
    process.stdout.write(
      `${JSON.stringify(oldId)} was merged into ${JSON.stringify(newId)}: ${grants} grants, ${counters} counters, ${calculations} calculations, ${holds} of them open with a hold.${again}\n`,
    );
    return 0;
  });
}

/** `members give-back ID COUNTER`. */
export function giveBackUse(
  loyaltyId: string,
  counter: string,
  { units, reason, ...values }: ActionArguments & { readonly units: number; readonly reason: string },
): Promise<number> {
  return withMember(loyaltyId, values, [], async ({ store, programmeId, present }) => {
    const token = memberToken(programmeId, present);
    const read = await readMember(store, { token, programmeId, loyaltyId: present }, true);
    const snapshot = await readAllCounters(store, token, read);
    const [usageKey, ...others] = findCounters(snapshot, counter);
    if (usageKey === undefined) {
      const used = [...snapshot.consumed].filter(([name, count]) => count > 0 && !name.includes('!'));
      const known = used.map(([name]) => name).join(', ') || 'nothing';
      throw new Error(`the member has consumed nothing of ${JSON.stringify(counter)}, only of: ${known}`);
    }
    if (others.length > 0) throw new Error(`several counters match, name one: ${[usageKey, ...others].join(', ')}`);
    const done = await giveBack(store, token, usageKey, units);
    if (done.outcome === 'merged') throw new Error('the member is being merged; run the command again');
    if (done.outcome === 'too_many') throw new Error(`--units: found ${units}, allowed: 1 to ${done.consumed}`);
    await note(store, 'give back use', programmeId, present, { counter: usageKey, units, reason });
    process.stdout.write(`${units} of ${usageKey} given back; ${done.consumed} stay consumed.\n`);
    return 0;
  });
}

/** `members copy ID --out FILE`. */
export async function copy(loyaltyId: string, values: ActionArguments & { readonly out: string }): Promise<number> {
  assertOutputFile('--out', values.out);
  return withMember(loyaltyId, values, [], async ({ store, programmeId, present }) => {
    const copied = await copyMember(store, programmeId, present);
    if (!copied) throw new Error(`nothing is stored of the member ${JSON.stringify(loyaltyId)} of ${programmeId}`);
    await note(store, 'copy member', programmeId, present, {});
    writeOut(values.out, copied);
    return 0;
  });
}

/** `members erase ID --certificate FILE`. */
export async function erase(
  loyaltyId: string,
  values: ActionArguments & { readonly certificate: string },
): Promise<number> {
  assertOutputFile('--certificate', values.certificate);
  return withMember(loyaltyId, values, [loyaltyId], async ({ store, environment, programmeId, present }) => {
    if (present !== loyaltyId) {
      throw new Error(
        `it was merged into ${JSON.stringify(present)}: erase that one, which erases this loyalty ID too`,
      );
    }
    const named = { programmeId, loyaltyId, by: userName() };
    const { certificate, isCompleter } = await eraseWithCertificate({ store, environment }, named);
    if (isCompleter) await note(store, 'erase member', programmeId, loyaltyId, { erased: certificate.erased });
    try {
      writeOut(values.certificate, certificate);
    } catch (error) {
      // The erasure is done, and another one would certify nothing.
      writeOut('-', certificate);
      throw error;
    }
    return certificate.remaining === 0 ? 0 : 1;
  });
}

/** Opens the store for a member's programme. Members of the configuration file are changed there. */
async function withMember(
  loyaltyId: string,
  { programme }: ActionArguments,
  changed: readonly string[],
  act: (opened: Opened) => Promise<number>,
): Promise<number> {
  const { store, environment } = await openStore();
  try {
    checkProgramme(environment, programme);
    const programmeId = programme ?? (await programmeOf(store, environment, loyaltyId));
    const inFile = changed.find((each) => environment.findMember(programmeId, each));
    if (inFile !== undefined) {
      throw new Error(`the member ${JSON.stringify(inFile)} is in the configuration file: remove it there first`);
    }
    const present = await resolveMerged(store, programmeId, loyaltyId);
    return await act({ store, environment, programmeId, present });
  } finally {
    store.connection.close();
  }
}

/** The only programme, or the only one with such a member. */
async function programmeOf(store: Store, environment: Environment, loyaltyId: string): Promise<string> {
  const known = environment.programmes.map(({ programmeId }) => programmeId);
  if (known.length === 1) return known[0]!;
  const isKnown = await Promise.all(
    known.map((programmeId) => isKnownMember(store, memberToken(programmeId, loyaltyId))),
  );
  const having = known.filter((programmeId, at) => isKnown[at] || environment.findMember(programmeId, loyaltyId));
  const why = having.length === 0 ? 'none of them has' : 'several have';
  return onlyProgramme(environment, having, `${why} the member ${JSON.stringify(loyaltyId)}`);
}

async function note(store: Store, action: string, programmeId: string, loyaltyId: string, more: object): Promise<void> {
  const member = await pseudonymOf(store, memberToken(programmeId, loyaltyId)).catch(() => undefined);
  await listChange(store, action, { programmeId, member, ...more });
}

/** Writes a file whole and for its owner only, or to standard output. */
function writeOut(path: string, value: object): void {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (path === '-') {
    process.stdout.write(text);
    return;
  }
  const partial = partialOf(path);
  writeFileSync(partial, text, { mode: 0o600 });
  if (partial !== path) renameSync(partial, path);
  process.stderr.write(`written to ${path}\n`);
}
