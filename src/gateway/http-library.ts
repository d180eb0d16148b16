import type Older from 'uWebSockets.js';

/**
 * The HTTP library for the Node that runs. Its native part is built per version of Node and of the C library, so there are
 * two: 20.69.0 for Node 24 and later on glibc 2.38 and later, 20.51.4 for Node 22 on any. Only this file knows of both, and
 * what the service uses of it is alike in both.
 */
const FIRST_NODE_OF_NEWER = 24;

const [nodeMajor = 0] = process.versions.node.split('.').map(Number);
const isNewer = nodeMajor >= FIRST_NODE_OF_NEWER;

export const library = (await (isNewer ? import('uWebSockets.js-26') : import('uWebSockets.js')))
  .default as typeof Older;
