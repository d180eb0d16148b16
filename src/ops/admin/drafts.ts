import type { DraftGivenUp } from '../../calls/draft.ts';
import { MAX_DRAFT_BYTES, MAX_EXPLAIN_BODY_BYTES } from '../../contract/limits.ts';
import type { LocatedFault } from '../../programme/configuration-error.ts';
import type { WantedPrice } from '../../programme/price-list.ts';
import { canWrite } from './configuration-file.ts';
import { readDraftCall } from './draft-request.ts';
import { type AdminAnswer, type AdminRoute, answered, refused } from './route.ts';

/** What the editor asks: the files in force, and what there is to say of a draft of them. Nothing here puts one in force. */

const MOST_ROWS = 20_000;
const DATE_CHARACTERS = '2026-11-21'.length;
const BUSY = 'Other drafts are being looked at; send it again.';
const TOO_LARGE = `The text of a draft may have ${MAX_DRAFT_BYTES / 1024} KB.`;

export const readFilesRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/configuration/files',
  role: 'read',
  action: 'read configuration files',
  operation: {
    operationId: 'readConfigurationFiles',
    summary: 'The files of the configuration in force, as they are',
    description:
      'The text of each file, to edit it. `isWritable`: the service may write its files. `isRecorded`: a draft can be tried on recorded baskets.',
    answerSchema: 'ConfigurationFiles',
    failures: {},
  },
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
  action: 'check draft',
  maxBodyBytes: MAX_EXPLAIN_BODY_BYTES,
  operation: {
    operationId: 'checkDraft',
    summary: 'Check a draft of the configuration',
    description:
      'Every error and every warning of `npm run check` with its place, and what would change against the configuration in force, in the words of an operator. `file` is the file whose place the text takes; without it the text is the whole configuration.',
    requestSchema: 'Draft',
    answerSchema: 'DraftReview',
    failures: { invalid: 'The body is not as it should be.', bodyTooLarge: TOO_LARGE, unavailable: BUSY },
  },
  async handle(administration, { body }) {
    const { source: inForce } = administration.current();
    const call = readDraftCall(body, inForce);
    if (typeof call === 'string') return refused('invalid', call);
    const today = new Date().toISOString().slice(0, DATE_CHARACTERS);
    const review = await administration.drafts.review({ source: call.source, inForce, today });
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
  operation: {
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
  },
  async handle(administration, { body }) {
    const call = readDraftCall(body, administration.current().source);
    if (typeof call === 'string') return refused('invalid', call);
    const { text, rows } = call.said;
    const fault = rows === undefined ? undefined : findRowFault(rows);
    if (fault !== undefined) return refused('invalid', fault);
    const listed = await administration.drafts.editPrices({
      text: text as string,
      rows: rows as readonly WantedPrice[] | undefined,
    });
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
  action: 'backtest draft',
  maxBodyBytes: MAX_EXPLAIN_BODY_BYTES,
  operation: {
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
  },
  async handle(administration, { body }) {
    const call = readDraftCall(body, administration.current().source);
    if (typeof call === 'string') return refused('invalid', call);
    if (!administration.backtest) return refused('conflict', 'Baskets are not recorded here: set RECORD_FILE.');
    const result = await administration.backtest(call.source);
    if (result.outcome === 'done') return answered({ report: result.report });
    return refused(result.kind, `The draft was not tried: ${result.reason}.`);
  },
};

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

/** A sentence about the first row that is not as it should be. */
function findRowFault(rows: unknown): string | undefined {
  if (!Array.isArray(rows) || rows.length > MOST_ROWS) return `rows: allowed: a list of at most ${MOST_ROWS}`;
  for (const [at, row] of rows.entries()) {
    const { programmeId, benefitId, productIds, unitPrice, remove = false } = (row ?? {}) as Partial<WantedPrice>;
    const place = `rows[${at}]`;
    if (!isName(programmeId)) return `${place}.programmeId: found ${JSON.stringify(programmeId)}, allowed: a name`;
    if (!isName(benefitId)) return `${place}.benefitId: found ${JSON.stringify(benefitId)}, allowed: a name`;
    if (typeof remove !== 'boolean') return `${place}.remove: found ${JSON.stringify(remove)}, allowed: true or false`;
    if (remove) continue;
    if (!Array.isArray(productIds) || !productIds.every((each) => typeof each === 'string' && each !== '')) {
      return `${place}.productIds: found ${JSON.stringify(productIds)}, allowed: a list of product IDs`;
    }
    if (!isPrice(unitPrice)) {
      return `${place}.unitPrice: found ${JSON.stringify(unitPrice)}, allowed: whole minor units, or such by currency`;
    }
  }
  return undefined;
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(value);
}

function isPrice(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const amounts = Object.entries(value);
  return amounts.length > 0 && amounts.every(([name, each]) => /^[A-Z]{3}$/.test(name) && Number.isSafeInteger(each));
}
