/** Microseconds, with fractions, of the machine's monotonic clock, which is the same in every thread. */
export function nowUs(): number {
  return Number(process.hrtime.bigint()) / 1000;
}
