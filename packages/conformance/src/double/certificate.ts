import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/**
 * A certificate that no caller may trust: it is signed by its own key, names a host that does not exist, and has expired.
 * It is made at run time, because a private key in a package would have to be explained to every scanner.
 */
export function untrustedCertificate(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const name = sequence(set(sequence(COMMON_NAME, element(TAG.utf8, Buffer.from('double.invalid')))));
  const validity = sequence(time('200101000000Z'), time('200102000000Z'));
  const serial = element(TAG.integer, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const publicKeyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const signed = sequence(serial, algorithm, name, validity, name, publicKeyInfo);
  const signature = sign('sha256', signed, privateKey);
  // A bit string begins with the number of its unused bits.
  const certificate = sequence(signed, algorithm, element(TAG.bitString, Buffer.concat([Buffer.from([0]), signature])));
  const base64 = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

/** Tags of DER (ITU-T X.690). */
const TAG = { integer: 0x02, bitString: 0x03, utf8: 0x0c, utcTime: 0x17, sequence: 0x30, set: 0x31 } as const;
/** Object identifiers: ecdsa-with-SHA256 (1.2.840.10045.4.3.2) and commonName (2.5.4.3). */
const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
/** From here on a length is written as the number of its bytes and these bytes. */
const LONG_LENGTH = 0x80;

function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): number[] {
  if (length < LONG_LENGTH) return [length];
  return length < 0x100 ? [LONG_LENGTH + 1, length] : [LONG_LENGTH + 2, length >> 8, length & 0xff];
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return element(TAG.sequence, Buffer.concat(parts));
}

function set(part: Buffer): Buffer {
  return element(TAG.set, part);
}

function time(text: string): Buffer {
  return element(TAG.utcTime, Buffer.from(text));
}
