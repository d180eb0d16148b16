/**
 * Imported by a process that a test starts (`node --import`), with the path of the trial. A change that is switched on in the tests'
 * process is made here too, and what a test comes past here is told there.
 */
import { appendFileSync, readFileSync } from 'node:fs';

const trialPath = new URL(import.meta.url).searchParams.get('trial');
const told = new Set();
let isRead = false;
let [active, test] = ['', ''];

/** Reads the switch, once in a turn of the event loop. */
function look() {
  if (isRead) return;
  isRead = true;
  setImmediate(() => {
    isRead = false;
  }).unref();
  const before = active;
  [active = '', test = ''] = readFileSync(`${trialPath}.switch`, 'utf8').split(' ');
  if (active !== before) switches.hitCount = 0;
}

/** @param {string} id */
function passed(id) {
  const line = `${test} ${id}\n`;
  if (!told.has(line)) appendFileSync(`${trialPath}.passed`, line);
  told.add(line);
  return true;
}

const perTest = new Proxy(
  {},
  { get: () => new Proxy({}, { set: (_target, id) => passed(String(id)) }), set: () => true },
);
const switches = {
  ...{ hitCount: 0, hitLimit: 5_000_000, mutantCoverage: { static: {}, perTest } },
  get activeMutant() {
    look();
    return active === '' ? undefined : active;
  },
  get currentTestId() {
    look();
    return test;
  },
};
Object.assign(globalThis, { __stryker__: switches });
