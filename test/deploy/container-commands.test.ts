/** The commands for containers (deploy/README.md) name what the manifests, the compose file and the image have. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../architecture/source.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const section = /### Commands in a container\n(.*?)\n## /s.exec(read('deploy/README.md'))?.[1] ?? '';
const namesIn = (pattern: RegExp): string[] => [...new Set([...section.matchAll(pattern)].map(([, name]) => name!))];
const { services } = parse(read('compose.yaml'));
const [deployment] = parseAllDocuments(read('deploy/kubernetes/base/gateway.yaml')).map((each) => each.toJS());
const [container] = deployment.spec.template.spec.containers;

test('the deployment and the service of the commands exist', () => {
  expect(deployment.kind).toBe('Deployment');
  expect(namesIn(/kubectl exec -i deployment\/(\S+) --/g)).toEqual([deployment.metadata.name]);
  const [service, ...others] = namesIn(/docker compose exec -T (\S+)/g);
  expect(others).toEqual([]);
  expect(services[service!].build.context).toBe('.');
});

test('the program is in the image', () => {
  const programs = namesIn(/ node (\S+)/g);
  expect(programs).toEqual(['packages/tools/src/loyalty.ts']);
  expect(existsSync(join(ROOT, programs[0]!))).toBe(true);
  expect(read('Dockerfile')).toMatch(/^COPY src \.\/src$/m);
});

test('the folders into which the commands write can be written', () => {
  const folders = namesIn(/(\/tmp|\/data)\b/g).toSorted();
  expect(folders).toEqual(['/data', '/tmp']);
  const mounts = container.volumeMounts.filter(({ readOnly }: { readOnly?: boolean }) => !readOnly);
  expect(mounts.map(({ mountPath }: { mountPath: string }) => mountPath).toSorted()).toEqual(folders);
  const { tmpfs, volumes } = services.gateway;
  expect([...tmpfs, ...volumes.map((volume: string) => volume.split(':')[1])].toSorted()).toEqual(folders);
});
