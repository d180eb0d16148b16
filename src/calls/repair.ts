import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeUnknownFields } from '@loyalty/contract/basket/schema';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { RefusalDetails } from '@loyalty/contract/errors';

/** Baskets whose answer failed its own check. */

/** Says for the log what an answer failed, and keeps its basket without the loyalty ID in a folder. */
export function reportFault(
  { field, expected, received }: RefusalDetails,
  request: BasketRequest,
  repairDir: string,
): string {
  const fault = `An answer failed its own check at ${field}: expected ${expected}, received ${received}.`;
  return `${fault} ${keepForRepair(repairDir, request, fault)}`;
}

/** The folder is bounded, because a fault may strike every basket and would fill the disk. */
const MAX_FILES = 200;

/**
 * Keeps a basket that could not be answered, without its loyalty ID. Returns one sentence for the log: the file's path,
 * or the reason why there is no file.
 */
function keepForRepair(repairDir: string, basket: BasketRequest, fault: string): string {
  try {
    const { loyaltyId: _left, ...rest } = removeUnknownFields(basket);
    mkdirSync(repairDir, { recursive: true, mode: 0o700 });
    if (readdirSync(repairDir).length >= MAX_FILES) return `The basket was not kept: ${repairDir} is full.`;
    const file = join(repairDir, `${rest.calculationId}.json`);
    writeFileSync(file, `${JSON.stringify({ fault, basket: rest }, undefined, 2)}\n`, { mode: 0o600 });
    return `The basket is kept in ${file}.`;
  } catch (error) {
    return `The basket was not kept: ${(error as Error).message}`;
  }
}
