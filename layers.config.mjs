/**
 * Which layer may import which, checked by `npm run check:code`. The layers stand from the top down, each with the layers
 * below it that it may import, and those of which it may use the types only. `workers` are the thread entries.
 */
/** @type {Readonly<Record<string, { imports: readonly string[], types?: readonly string[] }>>} */
const LAYERS = {
  main: { imports: ['primary', 'process', 'settings'] },
  workers: { imports: ['threads', 'tools', 'telemetry'] },
  // The primary has no gateway in it: neither the public port nor calls and their threads.
  primary: {
    imports: ['process', 'settings', 'ops', 'threads', 'store', 'redis', 'programme', 'telemetry', 'contract'],
  },
  process: {
    imports: [
      'settings',
      'ops',
      'gateway',
      'threads',
      'calls',
      'store',
      'redis',
      'programme',
      'recording',
      'telemetry',
      'contract',
    ],
  },
  tools: {
    imports: [
      'settings',
      'calls',
      'store',
      'redis',
      'programme',
      'pricing',
      'basket',
      'money',
      'contract',
      'packages/client',
      'packages/conformance',
      'packages/simulator',
      'recording',
      'telemetry',
    ],
  },
  settings: { imports: ['ops', 'redis', 'contract'] },
  gateway: { imports: ['calls', 'store', 'redis', 'telemetry', 'contract'] },
  ops: {
    imports: ['openapi', 'calls', 'store', 'redis', 'programme', 'pricing', 'basket', 'telemetry', 'contract'],
  },
  openapi: { imports: ['contract'] },
  threads: { imports: ['calls', 'programme', 'telemetry', 'contract'] },
  calls: {
    imports: [
      'returns',
      'store',
      'redis',
      'recording',
      'programme',
      'pricing',
      'basket',
      'money',
      'telemetry',
      'contract',
    ],
  },
  returns: { imports: ['pricing', 'money'], types: ['contract'] },
  store: { imports: ['redis', 'contract'] },
  redis: { imports: ['telemetry'] },
  recording: { imports: ['contract'], types: ['pricing'] },
  programme: { imports: ['pricing', 'money', 'contract'] },
  pricing: { imports: ['money', 'contract'] },
  basket: { imports: ['money', 'contract'] },
  money: { imports: [] },
  telemetry: { imports: ['contract'] },
  contract: { imports: ['money'] },
  // The caller's half and the judge can be lifted out of the repository: the wire and exact arithmetic come along.
  'packages/client': { imports: ['basket', 'money', 'contract'] },
  'packages/conformance': { imports: ['basket', 'money', 'contract'] },
  // The shop of the demo and of load tests, a caller as any other.
  'packages/simulator': { imports: ['packages/client', 'money', 'contract'] },
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
const PURE = ['pricing', 'money'].map(pathOf);

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

/** The folders of pricing, from the bottom up. Each imports only those before it. */
const PRICING = ['lines', '(?:compile|benefits)', 'offers', 'settle', 'choose', 'answer', 'trace'];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const directionsInPricing = PRICING.slice(0, -1).map((folder, at) => ({
  name: `pricing/${folder} imports only the folders below it`,
  from: { path: `^src/pricing/${folder}/` },
  to: { path: `^src/pricing/(?:${PRICING.slice(at + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const forbidden = [
  ...directions,
  ...directionsInPricing,
  {
    name: 'every folder is a layer of the table',
    from: { path: '^(?:src|workers|packages/[^/]+/src)/', pathNot: paths },
    to: {},
  },
  // Types count too: two files that need each other's types are one thought in two places.
  { name: 'nothing goes in circles', from: {}, to: { circular: true } },
  { name: 'pricing and money import no package and no module of Node', from: { path: PURE }, to: { pathNot: '^src/' } },
  {
    name: 'kinds of benefits are asked through the register',
    from: { path: '^(?:src|workers)/', pathNot: '^src/pricing/benefits/' },
    to: { path: '^src/pricing/benefits/', pathNot: '^src/pricing/benefits/register[.]ts$' },
  },
  {
    name: 'what runs is installed with the service',
    from: { path: paths },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'the kit shares no code with what it judges',
    from: { path: '^packages/conformance/src/kit/' },
    to: { ...OUTSIDE, pathNot: [...OUTSIDE.pathNot, '^src/contract/', '^packages/conformance/src/kit/'] },
  },
  {
    name: 'the judge takes types alone from the service',
    from: { path: JUDGE },
    to: { path: '^src/', dependencyTypesNot: ['type-only'] },
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
