/**
 * Prices every basket of one cell once, in a process of its own, because a runaway search in the benchmark's process
 * could not be stopped.
 */
import { answerCell, type Cell, prepareCell } from './cell.ts';

const cell = prepareCell(JSON.parse(process.argv[2] as string) as Cell);
for (let basket = 0; basket < cell.baskets.length; basket += 1) answerCell(cell, basket);
