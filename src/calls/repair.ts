import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BasketRequest } from '../contract/basket-request.ts';

/** A fault that strikes every basket must not fill the disk. */
const MAX_FILES = 200;

/** Keeps a basket that could not be answered, without its loyalty ID. Says in one sentence where it is, or why it is not. */
export function keepForRepair(repairDir: string, basket: BasketRequest, fault: string): string {
  const { loyaltyId: _left, ...rest } = basket;
  try {
    mkdirSync(repairDir, { recursive: true, mode: 0o700 });
    if (readdirSync(repairDir).length >= MAX_FILES) return `The basket was not kept: ${repairDir} is full.`;
    const file = join(repairDir, `${basket.calculationId}.json`);
    writeFileSync(file, `${JSON.stringify({ fault, basket: rest }, undefined, 2)}\n`, { mode: 0o600 });
    return `The basket is kept in ${file}.`;
  } catch (error) {
    return `The basket was not kept: ${(error as Error).message}`;
  }
}
