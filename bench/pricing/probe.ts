/** Prices every basket of one cell once: a process of its own, because a search that runs away cannot be stopped in ours. */
import { type Cell, prepareCell, priceCell } from './cell.ts';

const cell = prepareCell(JSON.parse(process.argv[2] as string) as Cell);
for (let basket = 0; basket < cell.baskets.length; basket += 1) priceCell(cell, basket);
