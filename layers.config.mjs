/**
 * Which layer may import which, checked by `npm run check:code`. The layers stand from the top down, each with the layers
 * below it that it may import, and those of which it may use the types only. `workers` are the thread entries.
 */
/** @type {Readonly<Record<string, { imports: readonly string[], types?: readonly string[] }>>} */
const LAYERS = {
  main: { imports: ['primary', 'process', 'settings'] },
  workers: { imports: ['threads', 'packages/console', 'packages/tools', 'telemetry'] },
  // The primary has no gateway in it: no public port, and of the calls only what tells of their end. Its one thread is that of drafts.
  // It imports nothing of packages/tools, and runs its `backtest` as a process of its own (primary/drafts.ts).
  primary: {
    imports: [
      'process',
      'settings',
      'packages/console',
      'threads',
      'calls',
      'store',
      'redis',
      'programme',
      'telemetry',
      'packages/contract',
    ],
  },
  process: {
    imports: [
      'settings',
      'packages/console',
      'gateway',
      'threads',
      'calls',
      'store',
      'redis',
      'programme',
      'recording',
      'telemetry',
      'packages/contract',
    ],
  },
  'packages/tools': {
    imports: [
      'settings',
      'threads',
      'administration',
      'calls',
      'store',
      'redis',
      'programme',
      'packages/engine',
      'packages/contract',
      'packages/client',
      'packages/conformance',
      'packages/simulator',
      'recording',
      'telemetry',
    ],
  },
  // The shop of the demo and of load tests, a caller as any other.
  'packages/simulator': { imports: ['packages/client', 'packages/contract'] },
  // The caller's half and the judge can be lifted out of the repository: the contract comes along.
  'packages/client': { imports: ['packages/contract'] },
  'packages/conformance': { imports: ['packages/contract'] },
  gateway: { imports: ['calls', 'store', 'redis', 'telemetry', 'packages/contract'] },
  'packages/console': {
    imports: [
      'settings',
      'administration',
      'calls',
      'store',
      'redis',
      'programme',
      'telemetry',
      'packages/engine',
      'packages/contract',
    ],
  },
  threads: { imports: ['administration', 'calls', 'programme', 'telemetry', 'packages/contract'] },
  administration: { imports: ['calls', 'store', 'redis', 'programme', 'packages/engine', 'packages/contract'] },
  calls: {
    imports: ['store', 'redis', 'recording', 'programme', 'packages/engine', 'packages/contract', 'telemetry'],
  },
  store: { imports: ['redis', 'packages/contract'] },
  settings: { imports: ['redis', 'packages/contract'] },
  redis: { imports: ['telemetry'] },
  recording: { imports: ['packages/contract'], types: ['packages/engine'] },
  programme: { imports: ['packages/engine', 'packages/contract'] },
  telemetry: { imports: ['packages/contract'] },
  'packages/engine': { imports: ['packages/contract'] },
  'packages/contract': { imports: [] },
};

/** @param {string} layer */
function pathOf(layer) {
  if (layer === 'workers') return '^workers/';
  return layer.startsWith('packages/') ? `^${layer}/src/` : `^src/${layer}(?:/|[.]ts$)`;
}

/**
 * Packages, modules of Node and data, such as the version in package.json, are in no layer.
 * @type {{ pathNot: string[], dependencyTypesNot: ('core' | 'npm' | 'npm-dev')[] }}
 */
const OUTSIDE = { pathNot: ['[.]json$'], dependencyTypesNot: ['core', 'npm', 'npm-dev'] };
const paths = Object.keys(LAYERS).map(pathOf);
const JUDGE = '^packages/conformance/src/kit/judge/';
/** Money and prices are arithmetic. */
const PURE = ['^packages/engine/src/', '^packages/contract/src/money/'];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const directions = Object.entries(LAYERS).flatMap(([layer, { imports, types = [] }]) => [
  {
    name: `${layer} imports only the layers below it`,
    from: { path: pathOf(layer) },
    to: { ...OUTSIDE, pathNot: [...OUTSIDE.pathNot, ...[layer, ...imports, ...types].map(pathOf)] },
  },
  ...types.map(
    (other) =>
      /** @type {import('dependency-cruiser').IForbiddenRuleType} */ ({
        name: `${layer} imports types alone of ${other}`,
        from: { path: pathOf(layer) },
        to: { path: pathOf(other), dependencyTypesNot: ['type-only'] },
      }),
  ),
]);

/** The folders of the engine, from the bottom up. Each imports only those before it. */
const ENGINE = ['lines', '(?:compile|benefits)', 'offers', 'settle', 'choose', 'decide', 'answer', 'trace', 'returns'];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const directionsInEngine = ENGINE.slice(0, -1).map((folder, at) => ({
  name: `engine/${folder} imports only the folders below it`,
  from: { path: `^packages/engine/src/${folder}/` },
  to: { path: `^packages/engine/src/(?:${ENGINE.slice(at + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = [
  ...directions,
  ...directionsInEngine,
  {
    name: 'every folder is a layer of the table',
    from: { path: '^(?:src|workers|packages/[^/]+/src)/', pathNot: paths },
    to: {},
  },
  // Types count too: two files that need each other's types are one thought in two places.
  { name: 'nothing goes in circles', from: {}, to: { circular: true } },
  {
    name: 'the engine and money import nothing from outside',
    from: { path: PURE },
    to: { pathNot: '^packages/(?:engine|contract)/src/' },
  },
  {
    name: 'kinds of benefits are asked through the register',
    from: { path: '^(?:src|workers|packages)/', pathNot: '^packages/engine/src/benefits/' },
    to: { path: '^packages/engine/src/benefits/', pathNot: '^packages/engine/src/benefits/register[.]ts$' },
  },
  {
    name: 'what runs is installed with the service',
    from: { path: paths },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'the kit shares no code with what it judges',
    from: { path: '^packages/conformance/src/kit/' },
    to: {
      ...OUTSIDE,
      pathNot: [...OUTSIDE.pathNot, '^packages/contract/src/[^/]+$', '^packages/conformance/src/kit/'],
    },
  },
  {
    name: "only the judge's arithmetic imports its library",
    from: { path: paths, pathNot: `${JUDGE}decimal[.]ts$` },
    to: { path: '/bignumber[.]js/' },
  },
  {
    name: 'only the gateway imports uWebSockets.js',
    from: { path: '^(?:src|workers)/', pathNot: pathOf('gateway') },
    to: { path: '(?:uWebSockets|@uwsjs)' },
  },
];

/** @satisfies {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: forbidden.map((rule) => ({ severity: /** @type {const} */ ('error'), ...rule })),
  options: {
    // The compiler is written in Go from version 7 on, and dependency-cruiser takes none above 6.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/node_modules/', '^packages/[^/]+/lib/'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
