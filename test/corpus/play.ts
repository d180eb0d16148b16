/** Plays the conversations of a stage, and collects what was answered and what is left of them. */
import type { Configuration } from '../support/configuration.ts';
import { sleep } from '../support/wait.ts';
import { dumpOf, readHoldings, readTold } from './holdings.ts';
import { Stage } from './stage.ts';
import { Talk, type Theme } from './talk.ts';

const POLL_MS = 500;
/** Longer than anything that the service does by itself waits. */
const STILL_MS = 12_000;

export interface StageWords {
  readonly configuration: Configuration;
  readonly themes: Readonly<Record<string, Theme>>;
  /** True where the conversations mostly wait, and none meets the other. */
  readonly isConcurrent?: boolean;
}

/** What was recorded of a conversation: the exchanges with what the service then says of them, and the bare keys. */
export interface Recorded {
  readonly talk: string;
  readonly redis: string;
}
/** By theme and title. */
export type Recordings = Map<string, Map<string, Recorded>>;
type Talks = ReadonlyMap<string, readonly Talk[]>;

/**
 * Plays all conversations, and waits until what they left behind is what was recorded, or else does not change any more:
 * the service completes some of its work after its answers.
 */
export async function playStage(words: StageWords, expected?: Recordings): Promise<Recordings> {
  const { configuration, themes, isConcurrent = false } = words;
  const stage = await Stage.open(configuration);
  try {
    const talks = new Map<string, Talk[]>();
    const held: Promise<void>[] = [];
    for (const [theme, conversations] of Object.entries(themes)) {
      const played = Object.keys(conversations).map((title) => new Talk(stage, title));
      talks.set(theme, played);
      for (const talk of played) {
        held.push(conversations[talk.title]!(talk));
        if (!isConcurrent) await held.at(-1);
      }
    }
    await Promise.all(held);
    await untilSettled(stage, talks, expected);
    return await record(stage, talks);
  } finally {
    await stage.close();
  }
}

/** The keys alone are watched; what the operations port says of them costs more, and follows from them. */
async function untilSettled(stage: Stage, talks: Talks, expected: Recordings | undefined): Promise<void> {
  const wanted =
    expected && [...expected.values()].flatMap((byTitle) => [...byTitle.values()].map(({ redis }) => redis));
  let [last, since] = ['', Date.now()];
  for (;;) {
    const holdings = await readHoldings(stage.redis.client, [...talks.values()].flat());
    const text = [...holdings].map(([talk, owned]) => dumpOf(talk, owned).join('\n')).join('\n');
    if (text !== last) since = Date.now();
    last = text;
    if (text === wanted?.join('\n') || Date.now() - since > STILL_MS) return;
    await sleep(POLL_MS);
  }
}

async function record(stage: Stage, talks: Talks): Promise<Recordings> {
  const holdings = await readHoldings(stage.redis.client, [...talks.values()].flat());
  const recordings: Recordings = new Map();
  for (const [theme, played] of talks) {
    const byTitle = new Map<string, Recorded>();
    for (const talk of played) {
      const owned = holdings.get(talk)!;
      const told = await readTold(talk, owned);
      byTitle.set(talk.title, {
        talk: [...talk.lines, ...told].map((line) => line.trimEnd()).join('\n'),
        redis: dumpOf(talk, owned).join('\n'),
      });
    }
    recordings.set(theme, byTitle);
  }
  return recordings;
}
