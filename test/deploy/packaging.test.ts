/** The unit, the manifests and the compose file say what the service understands: variables, ports, paths, files. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadEnvironment } from '../../src/programme/load.ts';
import { readSecrets } from '../../src/settings/secrets.ts';
import { readOpsTokens } from '../../src/settings/tokens.ts';
import { readSettings } from '../../src/settings.ts';
import { ROOT } from '../architecture/source.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { useSharedService } from '../support/shared-service.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Variables of Node and its libraries, which the settings do not read. */
const OTHERS = ['NODE_ENV', 'NODE_EXTRA_CA_CERTS'];
const settings = ['src/settings.ts', 'src/settings/redis.ts'].map(read).join('\n');
const isKnown = (variable: string) => OTHERS.includes(variable) || settings.includes(`'${variable}'`);

function findKubectl(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, 'kubectl')).find((path) => existsSync(path));
}

// biome-ignore lint/suspicious/noExplicitAny: manifests are read as they come; what is missing fails the expectation.
type Manifest = any;
const ENVIRONMENT = 'deploy/kubernetes/production';

/** The manifests that a kustomization gathers, each file as it stands, and the configuration that it makes of a file. */
function gather(folder: string): Manifest[] {
  const { resources, configMapGenerator = [] } = parse(read(`${folder}/kustomization.yaml`));
  const generated = configMapGenerator.map(({ name, files }: Manifest) => ({
    ...{ kind: 'ConfigMap', metadata: { name } },
    data: Object.fromEntries(files.map((file: string) => [file, read(`${folder}/${file}`)])),
  }));
  const written = resources.flatMap((name: string) => {
    if (!name.endsWith('.yaml')) return gather(join(folder, name));
    return parseAllDocuments(read(`${folder}/${name}`)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    });
  });
  return [...written, ...generated];
}

const manifests = gather(ENVIRONMENT);
const manifest = (kind: string): Manifest => manifests.find((candidate) => candidate.kind === kind);
const pod = manifest('Deployment').spec.template;
const [container] = pod.spec.containers;
const variables = new Map<string, { value?: string; valueFrom?: Manifest }>(
  container.env.map((entry: { name: string }) => [entry.name, entry]),
);

test('Node gets the same options wherever the service is started', () => {
  const optionsOf = (text: string) => text.match(/--[a-z][a-z0-9-]*(?:=[^ "]+)?/g);
  const { start } = JSON.parse(read('package.json')).scripts;
  // The primary gives its gateways theirs.
  expect(optionsOf(start)).toEqual(['--disable-sigusr1', '--import=./scripts/stripped/load.mjs']);
  expect(optionsOf(/^CMD .*$/m.exec(read('Dockerfile'))?.[0] ?? '')).toEqual(optionsOf(start));
  const unit = read('deploy/systemd/loyalty-gateway.service');
  expect(optionsOf(/^ExecStart=.*$/m.exec(unit)?.[0] ?? '')).toEqual(optionsOf(start));
});

describe('Kubernetes', () => {
  test('holds what a deployment needs', () => {
    expect(manifests.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PodMonitor',
      'Secret',
      'Service',
    ]);
    const { version } = JSON.parse(read('package.json'));
    expect(container.image).toBe(`loyalty-basket-gateway:${version}`);
    expect(parse(read(`${ENVIRONMENT}/kustomization.yaml`)).images[0]).toMatchObject({
      name: 'loyalty-basket-gateway',
      newTag: version,
    });
  });

  test('the autoscaler alone decides how many pods there are, by the share of a core that they ask for', () => {
    const { scaleTargetRef, minReplicas, maxReplicas, metrics } = manifest('HorizontalPodAutoscaler').spec;
    const { apiVersion, kind, metadata } = manifest('Deployment');
    expect(scaleTargetRef).toEqual({ apiVersion, kind, name: metadata.name });
    expect(manifest('Deployment').spec.replicas).toBeUndefined();
    expect(minReplicas).toBeGreaterThan(manifest('PodDisruptionBudget').spec.minAvailable);
    expect(maxReplicas).toBeGreaterThan(minReplicas);
    expect(metrics.map(({ resource }: Manifest) => resource.name)).toEqual(['cpu']);
    expect(container.resources.requests.cpu).toBeDefined();
  });

  test('the monitor finds the pods, scrapes as Prometheus would alone, and names the job that the alerts select', () => {
    const { jobLabel, selector, podMetricsEndpoints } = manifest('PodMonitor').spec;
    expect(selector.matchLabels).toEqual(pod.metadata.labels);
    const { global, scrape_configs } = parse(read('deploy/prometheus/prometheus.yml'));
    expect(pod.metadata.labels[jobLabel]).toBe(scrape_configs[0].job_name);
    const [{ port, path, interval, scrapeTimeout }] = podMetricsEndpoints;
    expect([port, path]).toEqual(['operations', pod.metadata.annotations['prometheus.io/path']]);
    expect([interval, scrapeTimeout]).toEqual([global.scrape_interval, global.scrape_timeout]);
  });

  test.skipIf(findKubectl() === undefined)('kustomize builds the environment from the same manifests', async () => {
    const { stdout } = await promisify(execFile)(findKubectl() as string, ['kustomize', join(ROOT, ENVIRONMENT)]);
    const built = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    const named = (all: readonly Manifest[]) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();
    expect(named(built)).toEqual(named(manifests));
    const { spec } = built.find(({ kind }) => kind === 'Deployment');
    expect(spec.template.spec.containers[0].image).toBe(container.image);
    const { data } = built.find(({ kind }) => kind === 'ConfigMap');
    expect(data).toEqual(manifest('ConfigMap').data);
  });

  test('every selector finds the pods, and every port has its name', () => {
    const { labels } = pod.metadata;
    expect(manifest('Deployment').spec.selector.matchLabels).toEqual(labels);
    expect(manifest('Service').spec.selector).toEqual(labels);
    expect(manifest('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(manifest('NetworkPolicy').spec.podSelector.matchLabels).toEqual(labels);
    const names = container.ports.map(({ name }: { name: string }) => name);
    const { ports } = manifest('Service').spec;
    const { ingress } = manifest('NetworkPolicy').spec;
    const used = [
      ...ports.map(({ targetPort }: Manifest) => targetPort),
      ...ingress.flatMap((rule: Manifest) => rule.ports.map(({ port }: Manifest) => port)),
      ...['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) => container[probe].httpGet.port),
    ];
    for (const name of used) expect(names).toContain(name);
    expect(ports.map(({ targetPort }: Manifest) => targetPort)).not.toContain('operations');
  });

  test('every variable is one of the service, every secret key and mounted file exists', () => {
    for (const name of variables.keys()) expect(isKnown(name), name).toBe(true);
    for (const { valueFrom } of variables.values()) {
      if (valueFrom) expect(manifest('Secret').stringData).toHaveProperty([valueFrom.secretKeyRef.key]);
    }
    const mountOf = (path: string) => container.volumeMounts.find(({ mountPath }: Manifest) => mountPath === path);
    for (const [variable, held] of [
      ['LOYALTY_CONFIG', manifest('ConfigMap').data],
      ['LOYALTY_SECRETS_FILE', manifest('Secret').stringData],
    ] as const) {
      const path = variables.get(variable)?.value ?? '';
      expect(mountOf(dirname(path)), path).toBeDefined();
      expect(held).toHaveProperty([path.split('/').at(-1) as string]);
    }
    expect(mountOf(variables.get('DATA_DIR')?.value ?? '')?.readOnly).toBeUndefined();
    const volumes = pod.spec.volumes.map(({ name }: { name: string }) => name);
    for (const { name } of container.volumeMounts) expect(volumes).toContain(name);
  });

  test('the configuration loads; the placeholder of a secret is refused', () => {
    const text = manifest('ConfigMap').data['environment.yaml'];
    const environment = loadEnvironment(text, 'environment.yaml');
    expect(environment.name).toBe('production');
    expect(environment.clockWindow).toEqual({ pastMs: 2 * 3_600_000, aheadMs: 10 * 60_000 });
    const { signing, 'ops-token': token } = manifest('Secret').stringData;
    expect(() => readSecrets(signing)).toThrow(/neither/);
    expect(() => readOpsTokens(token)).toThrow(/OPS_TOKEN/);
  });
});

describe('a second environment in the same cluster', () => {
  const folder = 'deploy/kubernetes/staging-team-b';
  const name = 'staging-team-b';
  const kustomization = parse(read(`${folder}/kustomization.yaml`));
  const [{ pairs, includeSelectors, fields }] = kustomization.labels;

  test('has names and labels of its own, and the same base', () => {
    expect(kustomization.nameSuffix).toBe(`-${name}`);
    expect(kustomization.resources).toContain('../base');
    // Another value of the label that production selects its pods by, in every selector.
    expect(pairs).toEqual({ app: `${pod.metadata.labels.app}-${name}` });
    expect(includeSelectors).toBe(true);
    expect(fields).toEqual([{ kind: 'PodMonitor', path: 'spec/selector/matchLabels', create: true }]);
    expect(Object.keys(manifest('PodMonitor').spec.selector.matchLabels)).toEqual(Object.keys(pairs));
  });

  test('has objects of the same names as production before the suffix, and its name in Redis', () => {
    const named = (all: readonly Manifest[]) => all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    const own = gather(folder);
    expect(named(own)).toEqual(named(manifests));
    const { data } = own.find(({ kind }) => kind === 'ConfigMap');
    expect(loadEnvironment(data['environment.yaml'], 'environment.yaml').name).toBe(name);
  });

  test.skipIf(findKubectl() === undefined)('kustomize builds no object that production has', async () => {
    const build = async (path: string): Promise<Manifest[]> => {
      const { stdout } = await promisify(execFile)(findKubectl() as string, ['kustomize', join(ROOT, path)]);
      return parseAllDocuments(stdout).map((document) => document.toJS());
    };
    const [first, second] = await Promise.all([build(ENVIRONMENT), build(folder)]);
    const names = new Set(first.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
    expect(second.filter(({ kind, metadata }) => names.has(`${kind} ${metadata.name}`))).toEqual([]);
    for (const { kind, spec } of second.filter((one) => ['Service', 'PodMonitor', 'Deployment'].includes(one.kind))) {
      const selected = kind === 'Service' ? spec.selector : spec.selector.matchLabels;
      expect([kind, selected]).toEqual([kind, pairs]);
    }
  });
});

describe('a service of the defaults', () => {
  const stage = useSharedService();

  test('answers every path that a probe or Prometheus asks for', async () => {
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) => container[probe].httpGet.path);
    const annotations = pod.metadata.annotations;
    const health = /OPS_PORT \|\| 9090\) \+ '(\/\w+)'/.exec(read('Dockerfile'))?.[1] as string;
    for (const path of [...probes, annotations['prometheus.io/path'], health]) {
      const answer = await fetch(`${stage.service.opsUrl}${path}`);
      await answer.arrayBuffer();
      expect(answer.status, path).toBe(200);
    }
  });

  test('listens on the ports that all of them name', () => {
    const { port, opsPort } = readSettings({ DATA_DIR: temporaryDirectory() });
    expect([port, opsPort]).toEqual([8080, 9090]);
    expect(container.ports.map(({ containerPort }: Manifest) => containerPort)).toEqual([8080, 9090]);
    expect(pod.metadata.annotations['prometheus.io/port']).toBe('9090');
    expect(read('Dockerfile')).toMatch(/^EXPOSE 8080 9090$/m);
    const { gateway } = parse(read('compose.yaml')).services;
    expect(gateway.ports).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:9090:9090']);
    for (const name of Object.keys(gateway.environment)) expect(isKnown(name), name).toBe(true);
  });
});

describe('systemd', () => {
  const unit = read('deploy/systemd/loyalty-gateway.service');
  const values = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value as string);

  test('every variable is one of the service', () => {
    const names = values('Environment').map((assignment) => assignment.split('=')[0] as string);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(isKnown(name), name).toBe(true);
  });

  test('starts a file that exists, in the folder that it names', () => {
    const [node, ...rest] = (values('ExecStart')[0] ?? '').split(' ');
    const script = rest.at(-1);
    expect(node?.startsWith(`${values('WorkingDirectory')[0]}/.toolchain/bin/`)).toBe(true);
    expect(existsSync(join(ROOT, script as string))).toBe(true);
    expect(values('Environment')).toContain(`DATA_DIR=/var/lib/${values('StateDirectory')[0]}`);
  });

  test('waits longer for the end than the service takes', () => {
    const patience = (file: string, name: string) =>
      Number(new RegExp(`${name} = ([\\d_]+)`).exec(read(file))?.[1]?.replace('_', ''));
    const longestMs =
      patience('src/process/gateway.ts', 'DRAIN_PATIENCE_MS') +
      patience('src/primary/gateway-process.ts', 'STOP_PATIENCE_MS') +
      patience('src/redis/managed-server.ts', 'STOP_TIMEOUT_MS');
    expect(longestMs).toBeGreaterThan(10_000);
    expect(Number(values('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(longestMs);
    expect(pod.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(longestMs + 5_000);
    expect(Number.parseInt(parse(read('compose.yaml')).services.gateway.stop_grace_period, 10) * 1000).toBeGreaterThan(
      patience('src/process/gateway.ts', 'DRAIN_PATIENCE_MS') +
        patience('src/primary/gateway-process.ts', 'STOP_PATIENCE_MS'),
    );
  });

  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd-analyze finds no fault', async () => {
    // The paths of an installation are not there; a copy names what is.
    const copy = join(temporaryDirectory(), 'loyalty-gateway.service');
    writeFileSync(copy, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', copy]);
    expect(stdout + stderr).toBe('');
    cleanUp();
  });
});
