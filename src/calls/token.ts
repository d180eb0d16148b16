import type { TokenOutcome } from '../store/tokens.ts';
import type { CallContext, CallRequest } from './call.ts';

type Refused = Extract<TokenOutcome, { isAllowed: false }>;

/** A call with a token, and what was read for it; or the refusal of one. */
export type Admitted<State> = Refused | { readonly isAllowed: true; readonly state: State };

/**
 * Takes the call's token, and reads: at once where the purse has a token, in the same round trip where it has to ask. While tokens are
 * scarce nothing is read before there is one, so that a flood of refused calls costs Redis next to nothing. Throws
 * `StoreUnavailable`.
 */
export async function takeToken<State>(
  { tokens }: CallContext,
  { kind }: CallRequest,
  read: () => Promise<State>,
): Promise<Admitted<State>> {
  const taken = tokens.take(kind);
  if (!(taken instanceof Promise)) return taken.isAllowed ? { isAllowed: true, state: await read() } : taken;
  const reading = tokens.isScarce(kind) ? undefined : read();
  // Of a call without a token nobody asks what became of its reads.
  reading?.catch(() => undefined);
  const token = await taken;
  return token.isAllowed ? { isAllowed: true, state: await (reading ?? read()) } : token;
}
