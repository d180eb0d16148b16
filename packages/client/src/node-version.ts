/** The oldest Node that has what the package needs, and on which it is tested: 20.19, as major and minor. */
const OLDEST = [20, 19] as const;

/**
 * Imported first, so that an older Node says so, instead of failing somewhere in a dependency. Runtimes that call themselves
 * a Node are refused too: Bun has an `undici` of its own, which cannot say whether a request was sent, so that every call
 * would fail; and Deno ends the process when the lock of the outbox file, which is machine code, is loaded.
 */
const { node, bun, deno } = process.versions as Partial<Record<string, string>>;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const other = bun !== undefined ? `Bun ${bun}` : deno !== undefined ? `Deno ${deno}` : undefined;
if (other !== undefined || major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  throw new Error(`loyalty-basket-client needs Node ${OLDEST.join('.')} or newer; this is ${other ?? node}`);
}
