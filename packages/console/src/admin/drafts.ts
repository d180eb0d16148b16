import { MAX_DRAFT_BYTES, MAX_EXPLAIN_BODY_BYTES } from '@loyalty/contract/limits';
import type { DraftGivenUp } from '../../../../src/administration/draft.ts';
import { findBodyFault } from '../../../../src/programme/check.ts';
import type { LocatedFault } from '../../../../src/programme/configuration-error.ts';
import type { PriceListTask } from '../../../../src/programme/price-list.ts';
import type { EnvironmentSource } from '../../../../src/programme/source.ts';
import { canWrite } from './configuration-file.ts';
import { Draft } from './draft-schemas.ts';
import { InvalidRequest, notAllowed, throwFault } from './invalid-request.ts';
import { type AdminAnswer, type AdminRoute, answered, refused } from './route.ts';

/** What the editor asks: the files in force, and what there is to say of a draft of them. Nothing here puts one in force. */

/** Messages of a draft without a file say that it is the draft. */
const DRAFT_NAME = 'draft';
const BUSY = 'Other drafts are being looked at; send it again.';
const TOO_LARGE = `The text of a draft may have ${MAX_DRAFT_BYTES / 1024} KB.`;

export const readFilesRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/configuration/files',
  role: 'read',
  operationId: 'readConfigurationFiles',
  summary: 'The files of the configuration in force, as they are',
  description:
    'The text of each file, to edit it. `isWritable`: the service may write its files. `isRecorded`: a draft can be tried on recorded baskets.',
  answerSchema: 'ConfigurationFiles',
  async handle(administration) {
    const { environment, source } = administration.current();
    const files = source.files.map(({ name, text }) => ({ name, text }));
    const isWritable = (await Promise.all(files.map(({ name }) => canWrite(name)))).every(Boolean);
    const { version } = environment;
    return answered({ version, isWritable, isRecorded: administration.backtest !== undefined, files });
  },
};

export const reviewDraftRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/configuration/check',
  role: 'read',
  isUnlisted: true,
  maxBodyBytes: MAX_EXPLAIN_BODY_BYTES,
  operationId: 'checkDraft',
  summary: 'Check a draft of the configuration',
  description:
    'Every error and every warning of `npm run check` with its place, and what would change against the configuration in force, in the words of an operator. `file` is the file whose place the text takes; without it the text is the whole configuration.',
  requestSchema: 'Draft',
  answerSchema: 'DraftReview',
  failures: { invalid: 'The body is not as it should be.', bodyTooLarge: TOO_LARGE, unavailable: BUSY },
  async handle(administration, { value }) {
    const { source: inForce } = administration.current();
    const source = readDraft(value, inForce);
    const today = todayAtUtc();
    const review = await administration.drafts.review({ source, inForce, today });
    if (review.kind === 'given_up') return refuseGivenUp(review);
    const { faults, warnings, differences, restartedLimits } = review;
    return answered({ faults, warnings, differences, restartedLimits });
  },
};

export const editPricesRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/configuration/prices',
  role: 'read',
  isUnlisted: true,
  action: 'edit prices of draft',
  maxBodyBytes: MAX_EXPLAIN_BODY_BYTES,
  operationId: 'editPrices',
  summary: 'Member prices of a draft as a table',
  description:
    'Lists the `unit_price` benefits that the text writes out. With `rows` they are changed first: a row changes the benefit that it names, adds it, or takes it out with `remove: true`; others stay. The answer has the changed text, in which everything else stands as it stood.',
  requestSchema: 'PriceEdit',
  answerSchema: 'Prices',
  failures: {
    invalid: 'The body is not as it should be, or the error names the row that cannot be written.',
    bodyTooLarge: TOO_LARGE,
    unavailable: BUSY,
  },
  async handle(administration, { value }) {
    readDraft(value, administration.current().source);
    const { text, rows } = value as PriceListTask;
    const short = rows?.findIndex(
      ({ remove, productIds, unitPrice }) => !remove && !(productIds && unitPrice !== undefined),
    );
    if (short !== undefined && short >= 0) {
      throw new InvalidRequest(`rows[${short}]: found no productIds or no unitPrice, allowed: both, or remove: true`);
    }
    const listed = await administration.drafts.editPrices({ text, rows });
    if (listed.kind === 'given_up') return refuseGivenUp(listed);
    if (listed.kind === 'unusable') return refused('invalid', listed.reason);
    return answered({ prices: listed.prices, text: listed.text });
  },
};

export const backtestRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/configuration/backtest',
  role: 'write',
  isUnlisted: true,
  maxBodyBytes: MAX_EXPLAIN_BODY_BYTES,
  operationId: 'backtestDraft',
  summary: 'What a draft would have cost on recorded baskets',
  description:
    'Prices the newest 32 MB of recorded baskets by the configuration in force and by the draft, in a process of low priority, and answers with the report of `npm run backtest`. One at a time, two minutes at most.',
  requestSchema: 'Draft',
  answerSchema: 'BacktestReport',
  failures: {
    invalid: 'The body is not as it should be.',
    conflict: 'Baskets are not recorded here (RECORD_FILE), or none is yet.',
    refused: 'The draft has errors, or no basket could be priced: the error says which.',
    bodyTooLarge: TOO_LARGE,
    unavailable: 'Another backtest is running, or it took too long.',
  },
  async handle(administration, { value }) {
    const source = readDraft(value, administration.current().source);
    if (!administration.backtest) return refused('conflict', 'Baskets are not recorded here: set RECORD_FILE.');
    const result = await administration.backtest(source);
    if (result.outcome === 'done') return answered({ report: result.report });
    return refused(result.kind, `The draft was not tried: ${result.reason}.`);
  },
};

/** The day that decides which campaigns of a draft have ended. */
export function todayAtUtc(): string {
  return new Date().toISOString().slice(0, '2026-11-21'.length);
}

/** Every error of a draft, in the shape that a draft's refusal has. */
export function refuseFaulty(faults: readonly LocatedFault[]): AdminAnswer {
  const [{ path, found, allowed }] = faults as [LocatedFault, ...LocatedFault[]];
  const count = faults.length === 1 ? 'an error' : `${faults.length} errors`;
  const place = path === '' ? '' : `${path}: `;
  return refused('refused', `The draft has ${count}. ${place}found ${found}, allowed: ${allowed}`, {}, { faults });
}

export function refuseGivenUp({ reason }: DraftGivenUp): AdminAnswer {
  return refused('unavailable', `The draft was not looked at: ${reason}.`);
}

/** Reads a draft that fits its schema; `path` stands before the names in messages. Throws `InvalidRequest`. */
export function readDraft(draft: unknown, inForce: EnvironmentSource, path = ''): EnvironmentSource {
  const { text, file } = draft as Draft;
  if (Buffer.byteLength(text) > MAX_DRAFT_BYTES) {
    throw new InvalidRequest(`${path}text: found more than ${MAX_DRAFT_BYTES} bytes`);
  }
  const names = inForce.files.map(({ name }) => name);
  if (file !== undefined && !names.includes(file)) {
    throw notAllowed(`${path}file`, file, `one of ${names.join(', ')}`);
  }
  if (file === undefined) return { path: DRAFT_NAME, files: [{ name: DRAFT_NAME, text }] };
  return replaceIn(inForce, file, text);
}

/** The source with another text in the place of a file's. */
export function replaceIn(source: EnvironmentSource, name: string, text: string): EnvironmentSource {
  return { ...source, files: source.files.map((own) => (own.name === name ? { name, text } : own)) };
}

/**
 * Reads the body of `/admin/explain`: a basket as a till sends it, or a basket and a draft of the configuration. Throws
 * `InvalidRequest` when the draft, and not the basket, is at fault. `inForce` is what it may replace a file of.
 */
export function readExplainRequest(
  body: Uint8Array,
  inForce: EnvironmentSource,
): { readonly basket: Uint8Array; readonly draft: EnvironmentSource | undefined } {
  const request = parseWithDraft(body);
  if (request === undefined) return { basket: body, draft: undefined };
  const { basket, draft } = request;
  throwFault(findBodyFault(Draft, draft, 'draft'));
  return { basket: Buffer.from(JSON.stringify(basket) ?? ''), draft: readDraft(draft, inForce, 'draft.') };
}

/** A body with a draft. A basket has no such field; whatever else the body is, the basket's own reader judges. */
function parseWithDraft(body: Uint8Array): { readonly basket?: unknown; readonly draft: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString());
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, 'draft');
    return isObject ? (value as { basket?: unknown; draft: unknown }) : undefined;
  } catch {
    return undefined;
  }
}
