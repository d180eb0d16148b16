/** Environment variables that are right one by one, and not together: refused before anything is started. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readOpsTokens } from '../../src/settings/tokens.ts';
import { readSettings } from '../../src/settings.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

const DATA_DIR = temporaryDirectory();

/** What is said of these variables; undefined when they are taken. */
function faultOf(env: Record<string, string>): string | undefined {
  try {
    readSettings({ DATA_DIR, ...env });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the two listeners', () => {
  it.each<[Record<string, string>]>([
    [{ PORT: '8080', OPS_PORT: '8080' }],
    [{ PORT: '9090' }],
    [{ OPS_PORT: '8080' }],
    [{ PORT: '8080', OPS_PORT: '8080', HOST: '0.0.0.0' }],
    [{ PORT: '8080', OPS_PORT: '8080', OPS_HOST: '::' }],
    [{ PORT: '8080', OPS_PORT: '8080', HOST: 'localhost' }],
    [{ PORT: '8080', OPS_PORT: '8080', HOST: 'Shop.example', OPS_HOST: 'shop.example' }],
  ])('cannot share a port: %j', (env) => {
    const port = env['PORT'] ?? '8080';
    expect(faultOf(env)).toMatch(new RegExp(`^OPS_PORT: ${port} is also PORT on the same host`));
  });

  it.each([
    [{ PORT: '0', OPS_PORT: '0' }],
    [{ PORT: '8080', OPS_PORT: '8081' }],
    [{ PORT: '8080', OPS_PORT: '8080', HOST: '10.0.0.1', OPS_HOST: '127.0.0.1' }],
  ])('take %j', (env) => {
    expect(faultOf(env)).toBeUndefined();
  });
});

describe('credentials', () => {
  const token = 'a-token-of-more-than-thirty-two-characters';

  it('of a caller open no administration', () => {
    const fault = faultOf({ LOYALTY_BEARER_TOKENS: `${'x'.repeat(32)},${token}`, OPS_TOKEN: `maria:${token}` });
    expect(fault).toMatch(/^OPS_TOKEN: token 1 is also in LOYALTY_BEARER_TOKENS/);
    expect(fault).not.toContain(token);
    expect(faultOf({ LOYALTY_BEARER_TOKENS: token, OPS_TOKEN: `maria:${token}!` })).toBeUndefined();
  });

  it('of two people are two', () => {
    const fault = faultOf({ OPS_TOKEN: `maria:${token},ola:${token}` });
    expect(fault).toMatch(/^OPS_TOKEN: token 2 equals token 1/);
    expect(fault).not.toContain(token);
    expect(faultOf({ OPS_TOKEN: `maria:${token},maria:${token}2` })).toBeUndefined();
    expect(faultOf({ OPS_TOKEN: `maria:read:${token},maria:write:${token}` })).toMatch(/another name or role/);
  });

  it('have a role, or every right', () => {
    const rolesOf = (text: string) => readOpsTokens(text).map(({ name, role }) => `${name} ${role}`);
    expect(rolesOf(`desk:read:${token}1,office:write:${token}2,ops:admin:${token}3,maria:${token}4,${token}5`)).toEqual(
      ['desk read', 'office write', 'ops admin', 'maria admin', 'operator admin'],
    );
  });

  it.each([
    `desk:reed:${token}`,
    `desk:Read:${token}`,
    `desk::${token}`,
    `desk:read:more:${token}`,
    `:${token}`,
    `de sk:${token}`,
  ])('never get more than was meant: %s', (text) => {
    const fault = faultOf({ OPS_TOKEN: text });
    expect(fault).toMatch(/^OPS_TOKEN: found token 1 with .*, allowed: /);
    expect(fault).not.toContain(token);
  });
});

describe('certificate and key', () => {
  const [first, second] = ['first', 'second'].map((name) => {
    const [certFile, keyFile] = [join(DATA_DIR, `${name}.pem`), join(DATA_DIR, `${name}.key`)];
    const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    execFileSync('openssl', [...words, '-subj', '/CN=localhost', '-out', certFile, '-keyout', keyFile], {
      stdio: 'pipe',
    });
    return { certFile, keyFile };
  }) as [{ certFile: string; keyFile: string }, { certFile: string; keyFile: string }];

  it('belong to each other', () => {
    expect(faultOf({ TLS_CERT_FILE: first.certFile, TLS_KEY_FILE: first.keyFile })).toBeUndefined();
    const fault = faultOf({ TLS_CERT_FILE: first.certFile, TLS_KEY_FILE: second.keyFile });
    expect(fault).toMatch(/^TLS_KEY_FILE: .*second\.key.*is not the private key.*TLS_CERT_FILE/);
  });
});
