/** A certificate for 127.0.0.1, made for one test file. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../../test/support/cleanup.ts';

export function makeCertificate() {
  const directory = temporaryDirectory();
  const [file, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  execFileSync('openssl', ['req', '-x509', '-days', '1', ...key, ...subject, '-out', file], { stdio: 'ignore' });
  return { key: readFileSync(keyFile, 'utf8'), cert: { file, pem: readFileSync(file, 'utf8') } };
}
