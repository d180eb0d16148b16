import { X509Certificate } from 'node:crypto';

/** Whether a text is a certificate in PEM form. Node takes one that is none as an authority, and then trusts nobody. */
export function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}
