import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Writes a self-signed certificate and its key into a folder, for `names` as OpenSSL writes them; returns their paths. */
export function writeCertificate(folder: string, names = 'DNS:localhost,IP:127.0.0.1') {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`];
  execFileSync('openssl', ['req', '-x509', ...kind, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
  return { cert, key };
}
