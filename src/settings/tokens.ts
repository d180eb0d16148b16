import type { OpsToken } from '../ops/admin/administration.ts';
import { SettingsError } from './settings-error.ts';

/** The name for a token without one. */
export const OPERATOR = 'operator';

const MIN_BEARER_CHARACTERS = 32;
const MIN_OPS_TOKEN_CHARACTERS = 16;

export function readBearerTokens(text: string | undefined): string[] {
  if (!text) return [];
  return text.split(',').map((item, index) => {
    const token = item.trim();
    if (token.length < MIN_BEARER_CHARACTERS || !/^[\x21-\x7e]+$/.test(token)) {
      const found = `token ${index + 1} of ${token.length} characters`;
      throw new SettingsError(
        'LOYALTY_BEARER_TOKENS',
        found,
        `at least ${MIN_BEARER_CHARACTERS} visible ASCII characters each`,
      );
    }
    return token;
  });
}

/**
 * Reads `name:token,name:token`; a token without a name is the operator's. Several tokens may share a name, so that a
 * token can be changed without a gap. Errors never quote a token.
 */
export function readOpsTokens(text: string | undefined, variable = 'OPS_TOKEN'): OpsToken[] {
  if (!text) return [];
  return text.split(',').map((item, index) => {
    const [, name = OPERATOR, token = ''] = /^(?:([A-Za-z0-9._-]{1,64}):)?(.*)$/.exec(item.trim()) ?? [];
    if (token.length < MIN_OPS_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(token)) {
      const found = `token ${index + 1} of ${token.length} characters`;
      const allowed = `name:token, separated by commas, with at least ${MIN_OPS_TOKEN_CHARACTERS} visible ASCII characters in each token`;
      throw new SettingsError(variable, found, allowed);
    }
    return { name, token };
  });
}

/**
 * Refuses a token with two meanings: a caller's token in the administration, or one token under two names in the log.
 */
export function checkTokens(opsTokens: readonly OpsToken[], bearerTokens: readonly string[]): void {
  for (const [index, { name, token }] of opsTokens.entries()) {
    if (bearerTokens.includes(token)) {
      throw new SettingsError('OPS_TOKEN', `token ${index + 1} in LOYALTY_BEARER_TOKENS too`, 'a token of its own');
    }
    const other = opsTokens.findIndex((earlier) => earlier.token === token);
    if (opsTokens[other]?.name !== name) {
      const found = `token ${index + 1} equal to token ${other + 1}, which has another name`;
      throw new SettingsError('OPS_TOKEN', found, 'a token of its own for each name');
    }
  }
}
