import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { CheckedEnvironment } from './environment.ts';

/** The configuration as it is kept: its members are persons, and left out. */
export async function packConfiguration({ file, version }: CheckedEnvironment): Promise<Buffer> {
  return promisify(deflateRaw)(JSON.stringify({ file: { ...file, members: [] }, version }));
}

/** Throws where the bytes are damaged. */
export async function unpackConfiguration(packed: Buffer): Promise<CheckedEnvironment> {
  return JSON.parse((await promisify(inflateRaw)(packed)).toString()) as CheckedEnvironment;
}
