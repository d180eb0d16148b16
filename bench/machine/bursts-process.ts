/** Works for so many milliseconds of CPU time, so many times a second: `bursts-process.ts <per second> <milliseconds>`. */
const [perSecond = 0, workMs = 0] = process.argv.slice(2).map(Number);
const MICROS_PER_MS = 1000;

let dueMs = performance.now();

function work(): void {
  const before = process.cpuUsage();
  let spent = 0;
  while (spent < workMs * MICROS_PER_MS) {
    const { user, system } = process.cpuUsage(before);
    spent = user + system;
  }
}

function run(): void {
  while (dueMs <= performance.now()) {
    work();
    dueMs += (-Math.log(1 - Math.random()) * 1000) / perSecond;
  }
  setTimeout(run, dueMs - performance.now());
}

run();
