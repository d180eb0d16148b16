/**
 * Loaded with `--import` before the service's own code, in its main thread and in every worker thread: brings about, in a
 * real service, what no caller can ask for. A body that contains one of the words below meets its fault. The product
 * itself has no hook for this.
 */
import crypto from 'node:crypto';
import dns from 'node:dns';
import { existsSync, rmSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** Faults of a worker thread, met where it renders the answer, which repeats the names of the products. */
const FAULTS = {
  'sabotage-throw': () => {
    throw new Error('sabotage: thrown inside the call');
  },
  'sabotage-uncaught': () => {
    setImmediate(() => {
      throw new Error('sabotage: thrown outside of any call');
    });
  },
  'sabotage-exit': () => process.exit(1),
  /** Of one thread alone: whoever removes the file. */
  'sabotage-once': () => {
    try {
      rmSync(process.env.SABOTAGE_ONCE_FILE ?? '');
    } catch {
      return;
    }
    process.exit(1);
  },
  'sabotage-loop': () => {
    for (;;);
  },
  'sabotage-memory': () => {
    const hoard = [];
    for (;;) hoard.push(new Array(100_000).fill(hoard.length));
  },
};

/** Faults of the primary, met where the console renders an explanation, which repeats the names of the products too. */
const FAULTS_OF_CONSOLE = {
  'sabotage-answer': () => {
    throw new Error('sabotage: thrown where an answer is rendered');
  },
  'sabotage-unhandled': () => {
    Promise.reject(new Error('sabotage: a rejection that nobody handles'));
  },
};

/** A body with this word has the main thread stand still for so long when it is hashed. */
const BLOCK = /sabotage-block-(\d+)-ms/;
/** The same body does not block again within this time. */
const REST_MS = 50;

/** How long a worker thread stands still at the first basket that it makes up to warm up. */
const WARM_UP_MS = Number(process.env.SABOTAGE_WARM_UP_MS ?? 0);

/** Undefined in the primary. */
const gateway = process.env.LOYALTY_GATEWAY;
if (isMainThread && gateway !== undefined) {
  // A gateway that ends at every start, while the file is there.
  if (existsSync(process.env.SABOTAGE_GATEWAY_FILE ?? '')) process.exit(1);
  // One gateway alone reaches Redis by another way.
  if (gateway === process.env.SABOTAGE_REDIS_OF) process.env.REDIS_URL = process.env.SABOTAGE_REDIS_URL;
}

if (isMainThread && gateway === undefined) {
  patchStringify((text) => {
    if (!text.includes('"explanation"')) return;
    for (const [word, bringAbout] of Object.entries(FAULTS_OF_CONSOLE)) if (text.includes(word)) bringAbout();
  });
}

if (!isMainThread) {
  patchStringify((answer) => {
    for (const [word, bringAbout] of Object.entries(FAULTS)) if (answer.includes(word)) bringAbout();
  });
  if (WARM_UP_MS > 0) delayWarmUp();
  const file = process.env.SABOTAGE_START_FILE;
  if (file && existsSync(file)) throw new Error('sabotage: this thread fails at its start');
} else {
  let restedUntilMs = 0;
  patchHash((body) => {
    // One body is hashed several times in a row, for each secret and for its fingerprint.
    const ms = BLOCK.exec(body.toString('latin1'))?.[1];
    if (ms === undefined || performance.now() < restedUntilMs) return;
    const endMs = performance.now() + Number(ms);
    while (performance.now() < endMs);
    restedUntilMs = endMs + REST_MS;
  });
}

const slowStartMs = Number(process.env.SABOTAGE_SLOW_START_MS ?? 0);
if (slowStartMs > 0) delayStart(slowStartMs);

const skewMs = Number(process.env.SABOTAGE_SKEW_MS ?? 0);
if (skewMs !== 0) skewClock(skewMs);

function delayWarmUp() {
  const { stringify } = JSON;
  JSON.stringify = (/** @type {unknown[]} */ ...args) => {
    const text = Reflect.apply(stringify, JSON, args);
    if (typeof text === 'string' && text.includes('"loyaltyId":"made-up"')) {
      JSON.stringify = stringify;
      for (const endMs = performance.now() + WARM_UP_MS; performance.now() < endMs; );
    }
    return text;
  };
}

/**
 * Every name of a host is resolved so much later, and every folder read: a slow server of names, and a slow disk.
 * @param {number} ms
 */
function delayStart(ms) {
  for (const [module, name] of /** @type {[object, string][]} */ ([
    [dns, 'lookup'],
    [files, 'readdir'],
  ])) {
    const original = Reflect.get(module, name);
    Reflect.set(module, name, async (/** @type {unknown[]} */ ...args) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return Reflect.apply(original, module, args);
    });
  }
}

/**
 * Calls `watch` with every text that is rendered as JSON.
 * @param {(text: string) => void} watch
 */
function patchStringify(watch) {
  const { stringify } = JSON;
  JSON.stringify = (/** @type {unknown[]} */ ...args) => {
    const text = Reflect.apply(stringify, JSON, args);
    if (typeof text === 'string') watch(text);
    return text;
  };
}

/**
 * Calls `watch` with every body that is hashed in one step.
 * @param {(body: Buffer) => void} watch
 */
function patchHash(watch) {
  const original = /** @type {(...args: unknown[]) => string} */ (crypto.hash);
  const patched = (/** @type {unknown[]} */ ...args) => {
    const data = args[1];
    if (data instanceof Uint8Array) watch(Buffer.from(data.buffer, data.byteOffset, data.length));
    return Reflect.apply(original, crypto, args);
  };
  Reflect.set(crypto, 'hash', patched);
  syncBuiltinESMExports();
}

/**
 * Sets the wall clock of this thread ahead by so much; the monotonic clock goes on as it is.
 * @param {number} skewMs
 */
function skewClock(skewMs) {
  const now = Date.now;
  Date.now = () => now() + skewMs;
}
