/** An address of Redis that cannot be used says why, and quotes nothing of it: it may contain a password. */
import { afterAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/settings.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

const DATA_DIR = temporaryDirectory();
const SENTINELS = 'redis+sentinel://sentinel/?name=loyalty';

function refusalOf(env: Record<string, string>): string | undefined {
  try {
    readSettings({ DATA_DIR, ...env });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const ENCODE = 'in a user or password write % as %25, @ as %40, / as %2F, ? as %3F, # as %23 and a comma as %2C';
const NO_PARAMETERS =
  'after ? only name=… of redis+sentinel:// is known: a user and password stand before the host, user:password@host';

describe('a password with signs of an address', () => {
  it.each([
    'redis://:s3cr/et@redis:6379',
    'redis://:s3cr#et@redis:6379',
    'redis://:12?s3cr@redis:6379',
    'redis://user:s3cr,et@redis:6379',
    'redis://user:s3cr%et@redis:6379',
    'redis://:s@3cr/et@redis:6379',
    'redis://redis:6379#s3cr',
    'rediss://:s3cr/et@redis:6379,redis2:6379',
    'redis+sentinel://:s3cr#et@sentinel/?name=loyalty',
  ])('is to be percent-encoded: %s', (REDIS_URL) => {
    const message = refusalOf({ REDIS_URL });
    expect(message).toMatch(/^REDIS_URL: the address must be redis:\/\/host:port, /);
    expect(message!.split('; ')).toContain(ENCODE);
    expect(message).not.toContain('s3cr');
  });

  it('of the Sentinels too', () => {
    const message = refusalOf({ REDIS_URL: SENTINELS, REDIS_SENTINEL_URL: 'redis://:s3cr/et@sentinel' });
    expect(message).toMatch(/^REDIS_SENTINEL_URL: the address must be /);
    expect(message!.split('; ')).toContain(ENCODE);
  });

  it('may have an @, of which the last one ends it', () => {
    expect(readSettings({ DATA_DIR, REDIS_URL: 'redis://:s3@cr@redis:6379' }).redis).toMatchObject({
      node: { host: 'redis' },
      access: { password: 's3@cr' },
    });
  });

  it('is not the advice where none was given', () => {
    expect(refusalOf({ REDIS_URL: 'http://redis:6379' })).not.toContain('write');
  });
});

describe('a parameter that nothing reads', () => {
  it.each([
    'redis://redis:6379?password=s3cr',
    'redis://redis:6379/0?db=1',
    'rediss://redis:6379/?ssl=true',
    'redis://redis:6379?name=loyalty',
    'redis://a:1,redis://b:2?password=s3cr',
    `${SENTINELS}&password=s3cr`,
  ])('is refused: %s', (REDIS_URL) => {
    const message = refusalOf({ REDIS_URL });
    expect(message).toMatch(/^REDIS_URL: the address must be /);
    expect(message!.split('; ')).toContain(NO_PARAMETERS);
    expect(message).not.toContain('s3cr');
  });

  it('of the Sentinels too', () => {
    const message = refusalOf({ REDIS_URL: SENTINELS, REDIS_SENTINEL_URL: 'redis://sentinel?password=s3cr' });
    expect(message!.split('; ')).toContain(NO_PARAMETERS);
    expect(message).not.toContain('s3cr');
  });

  it('is not the name of the master', () => {
    expect(readSettings({ DATA_DIR, REDIS_URL: SENTINELS }).redis).toMatchObject({ name: 'loyalty' });
    expect(readSettings({ DATA_DIR, REDIS_URL: 'redis://redis:6379/?' }).redis).toMatchObject({ kind: 'single' });
  });
});
