/**
 * `npm run month`: the month of trade outside of the suite, as large as one likes.
 *
 *     npm run month -- --days 30 --visits 150 --cards 300 --seed 7
 *     npm run month -- --seeds 1..20                            small months, one after another
 *
 * Ends with 0 when everything agreed, and names the seed of a month in which something did not.
 */
import '../../scripts/own-programs.mjs';
import { inspect } from 'node:util';
import { Command } from 'commander';
import { runCommandLine } from '../../packages/tools/src/command-line/strict.ts';
import { cleanUp } from '../support/cleanup.ts';
import { compareClosed, compareMonth, untilTold } from './compare.ts';
import { Month } from './month.ts';

interface MonthArguments {
  readonly days: string;
  readonly visits: string;
  readonly cards: string;
  readonly seed?: string;
  readonly seeds: string;
}

const command = new Command('npm run month --')
  .description('plays a month of trade and compares it to the minor unit; ends with 0 when everything agreed')
  .option('--days <n>', 'days of the month', '30')
  .option('--visits <n>', 'visits on each day', '150')
  .option('--cards <n>', 'members', '300')
  .option('--seed <n>', 'the seed of one month')
  .option('--seeds <from..to>', 'the seeds of many', '1..1')
  .action(async ({ days, visits, cards, seed, seeds }: MonthArguments) => {
    const [from = 1, to = from] = (seed ?? seeds).split('..').map(Number);
    const size = { days: Number(days), visitsADay: Number(visits), cards: Number(cards) };
    for (let each = from; each <= to; each += 1) await play(each, size);
  });

type Size = Record<'days' | 'visitsADay' | 'cards', number>;

async function play(seed: number, size: Size): Promise<void> {
  const onDay = async (day: number, calculations: number) => {
    console.log(`seed ${seed}, day ${day}: ${calculations} calculations`);
    if (day !== Math.ceil(size.days / 2)) return;
    await untilTold(month);
    await month.killGateway();
    console.log(`seed ${seed}, day ${day}: a gateway was killed`);
  };
  const month: Month = await Month.open({ seed, ...size, onDay });
  try {
    await month.play();
    await compareMonth(month);
    const closed = await compareClosed(month);
    console.log(`seed ${seed}: ${month.summary}; all agree, and ${closed} rows of the closed month stay as they were`);
  } catch (error) {
    const { days, visitsADay, cards } = size;
    console.error(error instanceof Error ? error.message : error);
    console.error(inspect((error as { readonly actual?: unknown }).actual, { depth: 4, maxStringLength: 600 }));
    console.error(
      `\nPlay it again: npm run month -- --days ${days} --visits ${visitsADay} --cards ${cards} --seed ${seed}`,
    );
    process.exitCode = 1;
  } finally {
    await month.close();
  }
}

try {
  await runCommandLine(command, 'month', process.argv.slice(2));
} finally {
  cleanUp();
}
process.exit();
