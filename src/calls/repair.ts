import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BasketRequest } from '../contract/basket-request.ts';
import { keepKnownFields } from '../contract/known-fields.ts';

/** The folder is bounded, because a fault may strike every basket and would fill the disk. */
const MAX_FILES = 200;

/**
 * Keeps a basket that could not be answered, without its loyalty ID. Returns one sentence for the log: the file's path,
 * or the reason why there is no file.
 */
export function keepForRepair(repairDir: string, basket: () => BasketRequest, fault: string): string {
  try {
    // Fields that the interface does not name may hold anything, and may be nested too deep to be written.
    const { loyaltyId: _left, ...rest } = keepKnownFields(BasketRequest, basket());
    mkdirSync(repairDir, { recursive: true, mode: 0o700 });
    if (readdirSync(repairDir).length >= MAX_FILES) return `The basket was not kept: ${repairDir} is full.`;
    const file = join(repairDir, `${rest.calculationId}.json`);
    writeFileSync(file, `${JSON.stringify({ fault, basket: rest }, undefined, 2)}\n`, { mode: 0o600 });
    return `The basket is kept in ${file}.`;
  } catch (error) {
    return `The basket was not kept: ${(error as Error).message}`;
  }
}
