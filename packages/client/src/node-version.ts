/** The oldest Node that has what the package needs, and on which it is tested: 20.19, as major and minor. */
const OLDEST = [20, 19] as const;

/** Imported first, so that an older Node says so, instead of failing somewhere in a dependency. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  throw new Error(`loyalty-basket-client needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}`);
}
