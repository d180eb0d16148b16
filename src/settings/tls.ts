import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { quote, SettingsError } from './settings-error.ts';

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Throws `SettingsError` unless the files hold a certificate and its key, in PEM form. */
export function checkTlsFiles(tls: TlsFiles): void {
  checkPem('TLS_CERT_FILE', tls.certFile, 'a PEM certificate', (pem) => new X509Certificate(pem));
  checkPem('TLS_KEY_FILE', tls.keyFile, 'a PEM private key', (pem) => createPrivateKey(pem));
  if (!new X509Certificate(readFileSync(tls.certFile)).checkPrivateKey(createPrivateKey(readFileSync(tls.keyFile)))) {
    throw new SettingsError(
      'TLS_KEY_FILE',
      `${quote(tls.keyFile)} is not the private key of the certificate in TLS_CERT_FILE`,
    );
  }
}

/** Parses one file by itself, because the library that serves TLS does not name the file that it could not use. */
function checkPem(variable: string, path: string, allowed: string, parse: (pem: Buffer) => unknown): void {
  try {
    parse(readFileSync(path));
  } catch {
    throw new SettingsError(variable, `${quote(path)} is not ${allowed}`);
  }
}
