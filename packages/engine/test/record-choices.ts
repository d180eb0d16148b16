/**
 * `.toolchain/bin/node packages/engine/test/record-choices.ts` writes what the engine chooses on drawn baskets to
 * `support/recorded-choices.txt`, after a change that is meant to choose otherwise. It takes some seconds.
 */
import { writeFileSync } from 'node:fs';
import { RECORDED, SOURCES } from './support/recorded.ts';

const rows = Object.values(SOURCES).flatMap((record) => record());
writeFileSync(RECORDED, `${rows.join('\n')}\n`);
