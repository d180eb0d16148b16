import { SettingsError } from './settings-error.ts';

/**
 * The roles of a token. From `read` on each may do what those before it may; a `vendor`, and a till (`pos`), may do what routes
 * say and nothing else.
 */
export const OPS_ROLES = ['vendor', 'pos', 'read', 'write', 'admin'] as const;
export type OpsRole = (typeof OPS_ROLES)[number];
/** A token of the administration, its owner's name, which the log shows beside every call, and its role. */
export interface OpsToken {
  readonly name: string;
  readonly role: OpsRole;
  readonly token: string;
}

/** The name for a token without one. */
export const OPERATOR = 'operator';

const MIN_BEARER_CHARACTERS = 32;
const MIN_OPS_TOKEN_CHARACTERS = 16;

export function readBearerTokens(text: string | undefined): string[] {
  if (!text) return [];
  return text.split(',').map((item, index) => {
    const token = item.trim();
    if (token.length < MIN_BEARER_CHARACTERS || !/^[\x21-\x7e]+$/.test(token)) {
      throw new SettingsError(
        'LOYALTY_BEARER_TOKENS',
        `token ${index + 1} has ${token.length} characters; at least ${MIN_BEARER_CHARACTERS} visible ASCII characters are required`,
      );
    }
    return token;
  });
}

const TOKEN_FORM = `name:token or name:role:token (role ${OPS_ROLES.join(', ')}), separated by commas, with at least ${MIN_OPS_TOKEN_CHARACTERS} visible ASCII characters other than a colon in each token`;

/**
 * Reads `name:role:token,name:token`; a token without a name is the operator's, one without a role an administrator's.
 * Several tokens may share a name, so that a token can be changed without a gap. A token holds no colon, so that a
 * misspelt role is never taken for the beginning of a token with every right. Errors never quote a token.
 */
export function readOpsTokens(text: string | undefined, variable = 'OPS_TOKEN'): OpsToken[] {
  if (!text) return [];
  return text.split(',').map((item, index) => {
    const parts = item.trim().split(':');
    const token = parts.pop() ?? '';
    const [name = OPERATOR, role = 'admin', ...others] = parts;
    const where = `token ${index + 1}`;
    if (token.length < MIN_OPS_TOKEN_CHARACTERS || !/^[\x21-\x7e]+$/.test(token)) {
      throw new SettingsError(variable, `${where} of ${token.length} characters`, TOKEN_FORM);
    }
    if (!isRole(role)) throw new SettingsError(variable, `${where} with an unknown role`, TOKEN_FORM);
    if (others.length > 0) throw new SettingsError(variable, `${where} with more than two colons`, TOKEN_FORM);
    if (!/^[A-Za-z0-9._-]{1,64}$/.test(name)) {
      throw new SettingsError(
        variable,
        `${where} with an invalid name`,
        'a name of 1 to 64 letters, digits, ., _ or -',
      );
    }
    return { name, role, token };
  });
}

function isRole(text: string): text is OpsRole {
  return OPS_ROLES.includes(text as OpsRole);
}

/**
 * Refuses a token with two meanings: a caller's token in the administration, or one token with two names or
 * roles.
 */
export function checkTokens(opsTokens: readonly OpsToken[], bearerTokens: readonly string[]): void {
  for (const [index, { name, role, token }] of opsTokens.entries()) {
    if (bearerTokens.includes(token)) {
      throw new SettingsError('OPS_TOKEN', `token ${index + 1} is also in LOYALTY_BEARER_TOKENS; use different tokens`);
    }
    const other = opsTokens.findIndex((earlier) => earlier.token === token);
    if (opsTokens[other]?.name !== name || opsTokens[other]?.role !== role) {
      const same = `token ${index + 1} equals token ${other + 1}, which has another name or role; use different tokens`;
      throw new SettingsError('OPS_TOKEN', same);
    }
  }
}
