import { MIN_SECRET_BYTES } from '@loyalty/contract/limits';
import { decodeSecret, secretFlaw } from '@loyalty/contract/secret';
import { SettingsError } from './settings-error.ts';

/**
 * Decodes a comma-separated list of secrets, each hex or base64 (interface, section 5). Its errors never quote a
 * secret. Returns an empty list when the variable is unset.
 */
export function readSecrets(text: string | undefined, variable = 'LOYALTY_SECRETS'): Uint8Array[] {
  if (!text) return [];
  return text.split(',').map((item, index) => {
    const text = item.trim();
    const secret = decodeSecret(text);
    const where = `secret ${index + 1}`;
    if (!secret) throw new SettingsError(variable, `${where} ${secretFlaw(text)}; separate secrets by commas`);
    if (secret.length < MIN_SECRET_BYTES) {
      throw new SettingsError(
        variable,
        `${where} has ${secret.length} bytes; at least ${MIN_SECRET_BYTES} are required`,
      );
    }
    return secret;
  });
}
