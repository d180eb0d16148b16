/**
 * `npm run model`: the model test outside of the suite.
 *
 *     npm run model -- --seeds 1..2000 [--lanes 8] [--stormy-stages 1]   many histories, with progress
 *     npm run model -- --seed 42                                         one history, every step told
 *     npm run model -- --race 1000000                                    commits that race for limited benefits
 *     npm run model -- --lost-writes 10 [--slow-sync 500]                acknowledged writes that a killed Redis loses
 *
 * Ends with 0 when nothing was wrong.
 */
import '../../scripts/own-programs.mjs';
import { Command } from 'commander';
import { runCommandLine } from '../../packages/tools/src/command-line/strict.ts';
import { cleanUp } from '../support/cleanup.ts';
import { drawHistory, type Failure, failureOf, playSeeds, settle, stageFor } from './campaign.ts';
import type { History } from './history.ts';
import { countLostWrites, slowDisk } from './lost-writes.ts';
import { Play } from './play.ts';
import { race } from './race.ts';
import { printHistory, shrink } from './shrink.ts';
import { Stage } from './stage.ts';
import { Tally } from './tally.ts';

const PROGRESS_MS = 10_000;
const SHRINK_LIMIT_MS = 180_000;

interface ModelArguments {
  readonly seeds: string;
  readonly seed?: string;
  readonly lanes: string;
  readonly stormyStages: string;
  readonly race?: string;
  readonly lostWrites?: string;
  readonly slowSync?: string;
}

const command = new Command('npm run model --')
  .description('the model test outside of the suite; ends with 0 when nothing was wrong')
  .option('--seeds <from..to>', 'many histories, with progress', '1..200')
  .option('--lanes <n>', 'so many of them at once', '8')
  .option('--stormy-stages <n>', 'stages for stormy histories, which play one after another', '1')
  .option('--seed <n>', 'one history, every step told')
  .option('--race <n>', 'so many commits that race for limited benefits')
  .option('--lost-writes <n>', 'acknowledged writes that a killed Redis loses, in so many rounds')
  .option('--slow-sync <ms>', 'with --lost-writes: a disk that takes so long to sync')
  .action(async (values: ModelArguments) => {
    process.exitCode = (await main(values)) ? 0 : 1;
  });

try {
  await runCommandLine(command, 'model', process.argv.slice(2));
} finally {
  cleanUp();
}
process.exit();

async function main(values: ModelArguments): Promise<boolean> {
  if (values.race !== undefined) return runRace(Number(values.race));
  if (values.lostWrites !== undefined) return reportLostWrites(Number(values.lostWrites), values.slowSync);
  if (values.seed !== undefined) return replaySeed(Number(values.seed));
  const [from, to] = values.seeds.split('..').map(Number) as [number, number];
  return playMany(from, to ?? from, values);
}

async function playMany(from: number, to: number, values: ModelArguments): Promise<boolean> {
  const tally = new Tally();
  const startMs = Date.now();
  const tell = () => console.log(`${((Date.now() - startMs) / 1000).toFixed(0)} s: ${tally.text}`);
  const progress = setInterval(tell, PROGRESS_MS);
  const stormyStages = Number(values.stormyStages);
  const onFailure = ({ history, message }: Failure) => console.log(`\nseed ${history.seed}: ${message}`);
  const failures = await playSeeds(from, to, { lanes: Number(values.lanes), stormyStages, tally, onFailure });
  clearInterval(progress);
  tell();
  for (const failure of failures.slice(0, 1)) await explain(failure);
  console.log(`seeds ${from}..${to}: ${failures.length} violations`);
  return failures.length === 0;
}

/** Prints a failing seed as its shortest history, with the command that plays it again. */
async function explain({ history, message }: Failure): Promise<void> {
  console.log(`\nMaking seed ${history.seed} shorter …`);
  const stage = await Stage.open(stageFor(history));
  try {
    const shortest = await shrink(history, (each) => replayOn(stage, each), SHRINK_LIMIT_MS);
    const isRepeated = shortest.message !== undefined;
    console.log(isRepeated ? `The shortest history found:` : 'It did not happen again; the whole history:');
    console.log(`${printHistory(shortest.history)}\n${shortest.message ?? message}`);
    console.log(`Play it again: npm run model -- --seed ${history.seed}`);
  } finally {
    await stage.close();
  }
}

async function replaySeed(seed: number): Promise<boolean> {
  const history = drawHistory(seed);
  console.log(`seed ${seed}, ${history.isStormy ? 'stormy' : 'calm'}:\n${printHistory(history)}\n`);
  const stage = await Stage.open(stageFor(history));
  const message = await replayOn(stage, history, console.log).finally(() => stage.close());
  if (message !== undefined) await explain({ history, message });
  else console.log('Nothing was wrong.');
  return message === undefined;
}

async function replayOn(stage: Stage, history: History, tell?: (line: string) => void): Promise<string | undefined> {
  const play = new Play(stage, history, new Tally(), tell);
  const failure = await failureOf(stage, history, async () => {
    await play.run();
    await settle(play);
  });
  return failure?.message;
}

async function runRace(commits: number): Promise<boolean> {
  const result = await race(commits, (line) => console.log(line));
  console.log(result.text);
  return result.oversold === 0;
}

async function reportLostWrites(rounds: number, slowSync: string | undefined): Promise<boolean> {
  if (slowSync !== undefined) slowDisk(Number(slowSync));
  for (const policy of ['always', 'everysec'] as const) console.log((await countLostWrites(policy, rounds)).text);
  return true;
}
