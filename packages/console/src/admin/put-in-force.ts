import { readFile } from 'node:fs/promises';
import { MAX_EXPLAIN_BODY_BYTES } from '@loyalty/contract/limits';
import type { EnvironmentSource, SourceFile } from '../../../../src/programme/source.ts';
import type { Administration } from './administration.ts';
import { answerOfReload } from './configuration.ts';
import { replaceFile } from './configuration-file.ts';
import type { DraftInForce } from './draft-schemas.ts';
import { readDraft, refuseFaulty, refuseGivenUp, replaceIn, todayAtUtc } from './drafts.ts';
import { InvalidRequest } from './invalid-request.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, refused } from './route.ts';

/** A draft that takes the place of a file and is put in force. */

/** The name under which the list of changes has it. */
export const PUT_IN_FORCE = 'put configuration in force';

/** Two people may press the button at once: one write begins when the one before has been reloaded. */
let last: Promise<unknown> = Promise.resolve();

export const putInForceRoute: AdminRoute = {
  method: 'PUT',
  path: '/admin/configuration/files',
  role: 'admin',
  action: PUT_IN_FORCE,
  maxBodyBytes: MAX_EXPLAIN_BODY_BYTES,
  operationId: 'putConfigurationInForce',
  summary: 'Put a draft in force',
  description:
    'Checks the draft, writes it in the place of `file` (the one file of the configuration may be left out) with `note` at its top, keeps the file before under its name with `.before`, and reloads. `If-Match` has the version that the draft was made from. The list of changes has the note and the name of the token.',
  requestSchema: 'DraftInForce',
  answerSchema: 'Reloaded',
  failures: {
    invalid: 'The body is not as it should be, or the note is missing.',
    preconditionFailed:
      'Another configuration is in force than the one of If-Match, or the files on the disk are others than those in force.',
    conflict: 'The service may not write its files: put the draft where they come from.',
    refused:
      'The draft has errors, which `details.faults` lists, or cannot be put in force: the old configuration stays.',
    bodyTooLarge: 'The text of the draft is too large.',
    unavailable: 'Another draft is being looked at, or not every process has taken the new configuration over.',
  },
  handle(administration, call) {
    const turn = last.then(() => putInForce(administration, call));
    last = turn.catch(() => undefined);
    return turn;
  },
};

async function putInForce(administration: Administration, { value, ifMatch }: AdminCall): Promise<AdminAnswer> {
  const { source: inForce } = administration.current();
  readDraft(value, inForce);
  const { text, note, file: named } = value as DraftInForce;
  if (inForce.files.length > 1 && named === undefined) {
    throw new InvalidRequest('file: found nothing, allowed: the file whose place the text takes');
  }
  const conflict = await findConflict(administration, ifMatch);
  if (conflict !== undefined) return refused('preconditionFailed', conflict);
  const changed = named ?? inForce.files[0]!.name;
  const today = todayAtUtc();
  // The note is written in the thread that checks: reading a large file would hold the event loop.
  const task = { source: replaceIn(inForce, changed, text), inForce, today, note: { text: note, file: changed } };
  const review = await administration.drafts.review(task);
  if (review.kind === 'given_up') return refuseGivenUp(review);
  if (!review.noted) return refuseFaulty(review.faults);
  // The review may have taken seconds, in which a deployment may have written its files.
  const overtaken = await findConflict(administration, ifMatch);
  if (overtaken !== undefined) return refused('preconditionFailed', overtaken);
  return write(administration, inForce, review.noted, { file: changed, note });
}

async function write(
  administration: Administration,
  inForce: EnvironmentSource,
  files: readonly SourceFile[],
  facts: { readonly file: string; readonly note: string },
): Promise<AdminAnswer> {
  const before = new Map(inForce.files.map(({ name, text }) => [name, text]));
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const { name, text } of files) {
      if (before.get(name) === text) continue;
      undo.push(await replaceFile(name, text));
    }
  } catch (error) {
    await restore(undo);
    const { code } = error as NodeJS.ErrnoException;
    return refused(
      'conflict',
      `${facts.file} cannot be written here (${code}): put the draft where the file comes from.`,
      facts,
    );
  }
  const reloaded = await administration.reload('administration');
  if (reloaded.outcome === 'refused') await restore(undo);
  return answerOfReload(reloaded, {
    ...facts,
    ...('configuration' in reloaded && { version: reloaded.configuration }),
  });
}

/** Writes the files as they were. A file that cannot be written keeps the draft, and the reload goes on refusing it. */
async function restore(undo: readonly (() => Promise<void>)[]): Promise<void> {
  for (const putBack of undo) await putBack().catch(() => undefined);
}

/** A sentence when somebody else has changed the configuration since the draft was begun. */
async function findConflict(administration: Administration, ifMatch: string | undefined): Promise<string | undefined> {
  const { environment, source } = administration.current();
  const { version } = environment;
  const meant = ifMatch?.replace(/^"(.*)"$/, '$1');
  if (meant === undefined) return 'If-Match: found nothing, allowed: the version that the draft was made from';
  if (meant !== version)
    return `The configuration ${version} has come into force since the draft was made from ${meant}.`;
  for (const { name, text } of source.files) {
    const onDisk = await readFile(name, 'utf8').catch(() => undefined);
    if (onDisk !== text) return `${name} on the disk is not what is in force: reload it first, or put it right.`;
  }
  return undefined;
}
