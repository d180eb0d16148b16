/** The unit, the manifests and the compose file say what the service understands: variables, ports, paths, files. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadEnvironment } from '../../src/programme/load.ts';
import { readSecrets } from '../../src/settings/secrets.ts';
import { readOpsTokens } from '../../src/settings/tokens.ts';
import { ROOT } from '../architecture/source.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Variables of Node and its libraries, which src/settings.ts does not read. */
const OTHERS = ['NODE_ENV', 'NODE_EXTRA_CA_CERTS'];
const settings = read('src/settings.ts');
const isKnown = (variable: string) => OTHERS.includes(variable) || settings.includes(`'${variable}'`);

// biome-ignore lint/suspicious/noExplicitAny: manifests are read as they come; what is missing fails the expectation.
type Manifest = any;
const manifests: Manifest[] = ['gateway', 'configuration'].flatMap((name) =>
  parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  }),
);
const manifest = (kind: string): Manifest => manifests.find((candidate) => candidate.kind === kind);
const pod = manifest('Deployment').spec.template;
const [container] = pod.spec.containers;
const variables = new Map<string, { value?: string; valueFrom?: Manifest }>(
  container.env.map((entry: { name: string }) => [entry.name, entry]),
);

test('Node gets the same options wherever the service is started', () => {
  const optionsOf = (text: string) => text.match(/--[a-z-]+=\d+/g);
  const { start } = JSON.parse(read('package.json')).scripts;
  expect(optionsOf(start)).toEqual(['--max-semi-space-size=32', '--min-semi-space-size=32']);
  expect(optionsOf(/^CMD .*$/m.exec(read('Dockerfile'))?.[0] ?? '')).toEqual(optionsOf(start));
  const unit = read('deploy/systemd/loyalty-gateway.service');
  expect(optionsOf(/^ExecStart=.*$/m.exec(unit)?.[0] ?? '')).toEqual(optionsOf(start));
});

describe('Kubernetes', () => {
  test('holds what a deployment needs', () => {
    expect(manifests.map(({ kind }) => kind).sort()).toEqual([
      'ConfigMap',
      'Deployment',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Secret',
      'Service',
    ]);
    expect(container.image).toBe(`loyalty-basket-gateway:${JSON.parse(read('package.json')).version}`);
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

describe('a service of the defaults', () => {
  let redis: RedisServer;
  let service: Service;
  beforeAll(async () => {
    redis = await RedisServer.launch();
    service = await Service.start({ redisUrl: redis.url });
  });
  afterAll(async () => {
    try {
      await service?.stop();
      await redis?.stop();
    } finally {
      cleanUp();
    }
  });

  test('answers every path that a probe or Prometheus asks for', async () => {
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) => container[probe].httpGet.path);
    const annotations = pod.metadata.annotations;
    const health = /http:\/\/127\.0\.0\.1:9090(\/\w+)/.exec(read('Dockerfile'))?.[1] as string;
    for (const path of [...probes, annotations['prometheus.io/path'], health]) {
      const answer = await fetch(`${service.opsUrl}${path}`);
      await answer.arrayBuffer();
      expect(answer.status, path).toBe(200);
    }
  });

  test('listens on the ports that all of them name', () => {
    expect(settings).toMatch(/'PORT', 8080/);
    expect(settings).toMatch(/'OPS_PORT', 9090/);
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
      patience('src/process/service.ts', 'DRAIN_PATIENCE_MS') +
      patience('src/process/process-group.ts', 'STOP_PATIENCE_MS') +
      patience('src/redis/managed-server.ts', 'STOP_TIMEOUT_MS');
    expect(longestMs).toBeGreaterThan(10_000);
    expect(Number(values('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(longestMs);
    expect(pod.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(longestMs + 5_000);
    expect(Number.parseInt(parse(read('compose.yaml')).services.gateway.stop_grace_period, 10) * 1000).toBeGreaterThan(
      patience('src/process/service.ts', 'DRAIN_PATIENCE_MS') +
        patience('src/process/process-group.ts', 'STOP_PATIENCE_MS'),
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
