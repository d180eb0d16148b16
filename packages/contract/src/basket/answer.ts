import { AppliedResponse, MemberNotFoundResponse, UnchangedResponse } from '../basket-response.ts';
import type { RefusalDetails } from '../errors.ts';
import { compileCheck } from './schema.ts';

const checks: Readonly<Record<string, ReturnType<typeof compileCheck>>> = {
  applied: compileCheck(AppliedResponse),
  unchanged: compileCheck(UnchangedResponse),
  member_not_found: compileCheck(MemberNotFoundResponse),
};

/** Finds the first fault of an answer against the schema of its status. Its identities are in identities.ts. */
export function findAnswerFault(answer: { readonly status: string }): RefusalDetails | undefined {
  const check = checks[answer.status];
  return check ? check(answer) : { field: '/status', expected: 'a known status' };
}
