/** Plays many histories: calm ones side by side on one stage, stormy ones one after another on stages of their own. */
import { sleep } from '../support/wait.ts';
import { type History, historyOf, STORMY_EVERY } from './history.ts';
import { Play } from './play.ts';
import { weaveReturns } from './returns.ts';
import { CALM, STORMY, Stage, type StageOptions } from './stage.ts';
import type { Tally } from './tally.ts';
import { weaveTurns } from './turns.ts';
import { Violation } from './words.ts';

export interface Failure {
  readonly history: History;
  readonly message: string;
}

export interface CampaignOptions {
  /** Calm histories at once. */
  readonly lanes: number;
  readonly stormyStages: number;
  readonly tally: Tally;
  /** Told of a failure at once; the stages go on to the end of their share. */
  readonly onFailure?: (failure: Failure) => void;
}

/** Redis keeps all of a history for days: after so many histories a stage is put away. */
const HISTORIES_PER_STAGE = 600;
const SETTLE_ATTEMPTS = 100;

export function stageFor(history: { readonly isStormy: boolean }): StageOptions {
  return history.isStormy ? STORMY : CALM;
}

export function drawHistory(seed: number): History {
  const { holdMs } = seed % STORMY_EVERY === 0 ? STORMY : CALM;
  const history = historyOf(seed, holdMs);
  const steps = weaveTurns(history.steps, seed, holdMs);
  return { ...history, steps: history.isStormy ? steps : weaveReturns(steps, seed) };
}

/** Plays the seeds `first` to `last`, both included, and returns those that failed. Stops early after the first ones. */
export async function playSeeds(first: number, last: number, options: CampaignOptions): Promise<Failure[]> {
  for (let from = first; from <= last; from += HISTORIES_PER_STAGE) {
    const count = Math.min(last - from + 1, HISTORIES_PER_STAGE);
    const drawn = Array.from({ length: count }, (_, at) => drawHistory(from + at));
    const failures = await playHistories(drawn, options);
    if (failures.length > 0) return failures;
  }
  return [];
}

/** Plays the histories on one stage of each kind, and returns those that failed. Stops early after the first ones. */
export async function playHistories(histories: readonly History[], options: CampaignOptions): Promise<Failure[]> {
  const failures: Failure[] = [];
  const calm = histories.filter(({ isStormy }) => !isStormy);
  const stormy = histories.filter(({ isStormy }) => isStormy);
  const onFailure = (failure: Failure) => {
    failures.push(failure);
    options.onFailure?.(failure);
  };
  await Promise.all([
    ...(calm.length > 0 ? [playCalm(calm, options, onFailure)] : []),
    ...(stormy.length > 0
      ? Array.from({ length: options.stormyStages }, () => playStormy(stormy, options, onFailure))
      : []),
  ]);
  return failures;
}

async function playCalm(queue: History[], options: CampaignOptions, onFailure: (failure: Failure) => void) {
  const stage = await Stage.open(CALM);
  let hasFailed = false;
  const lane = async () => {
    for (let history = queue.shift(); history && !hasFailed; history = queue.shift()) {
      const play = new Play(stage, history, options.tally);
      const failure = await failureOf(stage, history, async () => {
        await play.run();
        await play.end();
      });
      if (failure) {
        hasFailed = true;
        onFailure(failure);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: options.lanes }, lane));
  } finally {
    await stage.close();
  }
}

/** The end of a history, which mostly waits, overlaps with the next history. */
async function playStormy(queue: History[], options: CampaignOptions, onFailure: (failure: Failure) => void) {
  const stage = await Stage.open(STORMY);
  const ends: Promise<void>[] = [];
  let hasFailed = false;
  const note = (failure: Failure | undefined) => {
    if (!failure) return;
    hasFailed = true;
    onFailure(failure);
  };
  try {
    for (let history = queue.shift(); history && !hasFailed; history = queue.shift()) {
      const played = history;
      const play = new Play(stage, played, options.tally);
      const failure = await failureOf(stage, played, () => play.run());
      note(failure);
      if (!failure) ends.push(failureOf(stage, played, () => settle(play)).then(note));
    }
    await Promise.all(ends);
  } finally {
    await stage.close();
  }
}

/** The next history may take Redis away while this one looks into it. */
export async function settle(play: Play): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await play.end();
    } catch (fault) {
      if (fault instanceof Violation || attempt === SETTLE_ATTEMPTS) throw fault;
      await sleep(100);
    }
  }
}

/** Any other error than a violation is one as well: whatever kept a history from being played has to be looked at. */
export async function failureOf(
  stage: Stage,
  history: History,
  work: () => Promise<void>,
): Promise<Failure | undefined> {
  try {
    await work();
    return undefined;
  } catch (fault) {
    const message = fault instanceof Violation ? fault.message : String((fault as Error).stack ?? fault);
    return { history, message: [message, ...stage.lastWarnings()].join('\n') };
  }
}
