import { describeUnreadable } from '@loyalty/contract/unreadable';
import {
  adviceOn,
  parseRedisAddress,
  parseSentinelAddress,
  REDIS_URL_FORMS,
  type RedisAccess,
  type RedisAddress,
  SENTINEL_URL_FORMS,
} from '../redis/address.ts';
import { readPassword } from '../redis/credentials.ts';
import { SettingsError, type Variables } from './settings-error.ts';

const PASSWORD_FILES = ['REDIS_PASSWORD_FILE', 'REDIS_SENTINEL_PASSWORD_FILE'] as const;

/**
 * The address of Redis with all that it asks for: `REDIS_URL`, passwords in files, and Sentinels with users of their own.
 * Undefined when the service runs a Redis itself. No value is quoted in an error, because it may contain a password.
 */
export function readRedis(env: Variables): RedisAddress | undefined {
  const text = env['REDIS_URL'];
  if (!text) {
    const [extra] = ['REDIS_SENTINEL_URL', ...PASSWORD_FILES].filter((name) => env[name]);
    if (extra !== undefined) throw new SettingsError('REDIS_URL', `it is not set although ${extra} is`);
    return undefined;
  }
  const address = parseRedisAddress(text);
  if (!address) throw new SettingsError('REDIS_URL', `the address must be ${REDIS_URL_FORMS}${adviceOn(text)}`);
  if (address.kind === 'socket') {
    for (const name of PASSWORD_FILES)
      if (env[name]) throw new SettingsError(name, 'it cannot be used with unix:/path');
    return address;
  }
  const access = withPassword(env, 'REDIS_PASSWORD_FILE', address.access);
  if (address.kind === 'sentinel') return readSentinels(env, { ...address, access });
  for (const name of ['REDIS_SENTINEL_URL', 'REDIS_SENTINEL_PASSWORD_FILE']) {
    if (env[name]) throw new SettingsError(name, 'it can be used only if REDIS_URL begins with redis+sentinel://');
  }
  return { ...address, access };
}

/** Sentinels are asked with the user and password of the servers, unless they have an address of their own. */
function readSentinels(env: Variables, address: Extract<RedisAddress, { kind: 'sentinel' }>): RedisAddress {
  const text = env['REDIS_SENTINEL_URL'];
  const own = text ? parseSentinelAddress(text) : { nodes: address.nodes, access: address.access };
  if (!own) {
    const advice = adviceOn(text ?? '');
    throw new SettingsError('REDIS_SENTINEL_URL', `the address must be ${SENTINEL_URL_FORMS}${advice}`);
  }
  const sentinelAccess = withPassword(env, 'REDIS_SENTINEL_PASSWORD_FILE', own.access);
  return { ...address, nodes: own.nodes, sentinelAccess };
}

/** The access with the password of a file. The file is read here first, so that a mistake is told at the start. */
function withPassword(env: Variables, variable: (typeof PASSWORD_FILES)[number], access: RedisAccess): RedisAccess {
  const file = env[variable];
  if (!file) return access;
  let password: string;
  try {
    password = readPassword(file);
  } catch (error) {
    throw new SettingsError(variable, describeUnreadable(file, error));
  }
  if (password === '') throw new SettingsError(variable, `the file ${file} is empty`);
  return { ...access, password: undefined, passwordFile: file };
}
