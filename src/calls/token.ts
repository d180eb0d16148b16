import type { TokenOutcome } from '../store/tokens.ts';
import type { CallContext, CallRequest } from './call.ts';

/**
 * Takes the call's token, and reads: at once where the purse has a token, in the same round trip where it has to ask, and not at all
 * where the bucket is known to be empty. A refused call gets no state. Throws `StoreUnavailable`.
 */
export async function takeToken<State>(
  { tokens }: CallContext,
  { kind }: CallRequest,
  read: () => Promise<State>,
): Promise<[TokenOutcome, State]> {
  const token = tokens.take(kind);
  const isRefused = !(token instanceof Promise) && !token.isAllowed;
  if (isRefused) return [token, undefined as State];
  return Promise.all([token, read()]);
}
