import { parseDateTime } from '@loyalty/contract/date-time';
import type { Refusal } from '@loyalty/contract/errors';
import { MAX_BODY_BYTES, MAX_DRAFT_BYTES, MAX_EXPLAIN_BODY_BYTES } from '@loyalty/contract/limits';
import type { DraftAnswer } from '../../../../src/administration/draft.ts';
import {
  type ExplainedBasket,
  explainBasket,
  factsOf,
  readExplainedBasket,
} from '../../../../src/administration/dry-run.ts';
import type { EnvironmentSource } from '../../../../src/programme/source.ts';
import { type MemberToken, memberToken } from '../../../../src/store/keys.ts';
import type { Administration } from './administration.ts';
import { readExplainRequest, refuseFaulty, todayAtUtc } from './drafts.ts';
import { notAllowed } from './invalid-request.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, answered, refused } from './route.ts';

/** `POST /admin/explain`: the dry run of a basket call, with a draft beside the configuration in force when one is sent. */
export const explainRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/explain',
  role: 'read',
  isUnlisted: true,
  action: 'explain',
  maxBodyBytes: MAX_EXPLAIN_BODY_BYTES,
  operationId: 'explainBasket',
  summary: 'Explain how a basket would be answered',
  description:
    'Prices the body of a basket call with the member and its limits as they are now, and says why, benefit by benefit and line by line; every minor unit of difference has its line and its benefit. Reserves nothing and writes nothing. What the calculation itself holds counts as free, so a basket that was answered can be explained again. With `{ basket, draft }` the same basket is priced by a draft of the configuration too, which is checked and never put in force.',
  query: {
    at: 'RFC 3339: takes the place of the basket’s `requestedAt`, and is believed however far it is from now.',
  },
  requestSchema: 'ExplainRequest',
  answerSchema: 'Explained',
  failures: {
    invalid:
      'The basket is refused as the public interface would refuse it, with its code; or `at` or `draft` is wrong.',
    refused:
      'The basket is refused as the public interface would refuse it, with its code; or the draft has errors, which `details.faults` lists, or refuses the basket.',
    bodyTooLarge: `The basket is larger than ${MAX_BODY_BYTES / 1024} KB, or the whole body than ${MAX_EXPLAIN_BODY_BYTES / 1024} KB; the text of a draft may have ${MAX_DRAFT_BYTES / 1024} KB.`,
    unavailable: 'Redis cannot be reached, or other drafts are being looked at; send it again.',
  },
  async handle(administration, call) {
    const at = call.query.get('at') ?? undefined;
    if (at !== undefined && parseDateTime(at) === undefined) {
      // A plus sign in a query means a blank, and the offset of a time contains one.
      throw notAllowed('at', at, 'an RFC 3339 date-time, + written as %2B');
    }
    const request = readExplainRequest(call.body, administration.current().source);
    if (request.basket.length > MAX_BODY_BYTES)
      return refused('bodyTooLarge', `The basket is larger than ${MAX_BODY_BYTES} bytes.`);
    const asked = readExplainedBasket(request.basket, at);
    if ('code' in asked) return refuseAsPublic(asked);
    const explained = await explainBasket(administration.current(), asked);
    const audit = { member: explained.member };
    if (explained.kind === 'refusal') {
      noteFault(administration, call, explained.fault);
      return { ...refuseAsPublic(explained.refusal), audit };
    }
    const { response, explanation } = explained;
    const known = { ...audit, calculationId: response.calculationId };
    if (request.draft === undefined) return answered({ response, explanation }, { audit: known });
    const { draft, draftMember } = await explainDraft(administration, call, request.draft, asked);
    const facts = { ...known, isDraft: true, ...(draftMember !== undefined && { draftMember }) };
    if ('status' in draft) return { ...draft, audit: facts };
    return answered({ response, explanation, draft }, { audit: facts });
  },
};

function noteFault({ log }: Administration, { requestId }: AdminCall, fault: string | undefined): void {
  if (fault !== undefined) log.error({ requestId, fault }, 'fault');
}

function refuseAsPublic({ status, code, message, details }: Refusal): AdminAnswer {
  return { status, json: { error: { code, message, details } } };
}

/**
 * Prices the basket by a draft. `draft` is the part of the answer that tells of it, or a refusal of the whole call;
 * `draftMember` is the member that was read, as the draft's programme knows it, for the audit log.
 */
async function explainDraft(
  administration: Administration,
  call: AdminCall,
  source: EnvironmentSource,
  asked: ExplainedBasket,
): Promise<{ readonly draft: AdminAnswer | object; readonly draftMember: MemberToken | undefined }> {
  const { store, repairDir } = administration.current();
  const today = todayAtUtc();
  let draftMember: MemberToken | undefined;
  const facts = factsOf(store, asked);
  const outcome = await administration.drafts.price(
    { ...asked, source, today, repairDir },
    {
      ...facts,
      readMember: (programmeId) => {
        draftMember = memberToken(programmeId, asked.basket.loyaltyId);
        return facts.readMember(programmeId);
      },
    },
  );
  if (outcome.kind === 'given_up') {
    return { draft: refused('unavailable', `The draft was not priced: ${outcome.reason}.`), draftMember };
  }
  if (outcome.kind === 'priced' && outcome.explained.kind === 'refusal') {
    noteFault(administration, call, outcome.explained.fault);
  }
  return { draft: describeDraft(outcome), draftMember };
}

function describeDraft(outcome: DraftAnswer): AdminAnswer | object {
  if (outcome.kind === 'unusable') return refuseFaulty(outcome.faults);
  const { explained, warnings } = outcome;
  if (explained.kind === 'explained') {
    return { response: explained.response, explanation: explained.explanation, warnings };
  }
  const { code, message } = explained.refusal;
  return refused('refused', `The draft refuses the basket: ${code}: ${message}`);
}
