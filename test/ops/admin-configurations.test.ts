/** What was in force, what changed from one to the other in the operator's words, the file back, and who changed what besides. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { memberPath, OPS_TOKEN } from './admin-client.ts';
import { deskOf } from './desk.ts';

interface Listed {
  readonly configurations: readonly { version: string; since: string; until?: string; note?: string }[];
  readonly changes: readonly { action: string; who?: string; version?: string; facts?: Record<string, unknown> }[];
}

const stage = useService({
  env: { OPS_TOKEN, PROCESSES: '2' },
  configuration: configurationOf({
    members: [memberOf('member-twenty', ['twenty']), memberOf('secret-guest', ['twenty'])],
  }),
});
const { call, get, put } = deskOf(stage);
const list = () => get<Listed>('/admin/configurations');
interface Files {
  readonly files: readonly { readonly text: string }[];
}
const file = () => join(stage.service.dataDirectory, 'environment.yaml');

test('a new configuration stands in the list with its note, and is compared with the one before', async () => {
  const before = readFileSync(file(), 'utf8');
  const [first, ...none] = (await list()).configurations;
  expect([none, first!.until]).toEqual([[], undefined]);
  const next = configurationOf({
    programme: { benefits: [{ ...TWENTY, percent: 25, text: 'Member price' }] },
    members: [memberOf('member-twenty', ['twenty'])],
  });
  writeFileSync(file(), `# for the spring\n${JSON.stringify({ note: 'Spring prices', ...next })}`);
  const { body: reloaded } = await call<{ version: string }>('POST /admin/configuration/reload');
  const { configurations, changes } = await list();
  expect(configurations.map(({ version }) => version)).toEqual([reloaded.version, first!.version]);
  expect(configurations[0]).toMatchObject({ note: 'Spring prices' });
  expect(configurations[1]!.until).toBe(configurations[0]!.since);

  const path = `/admin/configurations/${first!.version}/diff/${reloaded.version}`;
  const { differences } = await get<{ differences: { text: string }[] }>(path);
  const words = differences.map(({ text }) => text);
  expect(words).toContain('Member price: 20 % → 25 %');
  expect(words).toContain('note none → "Spring prices"');
  expect(words.at(-1)).toBe('Members of the file: 0 new, 1 gone, 0 changed');

  const back = await get<Files>(`/admin/configurations/${first!.version}`);
  expect(back.files.map(({ text }) => text)).toEqual([before]);
  expect((await call('GET /admin/configurations/000000000000')).status).toBe(404);
  expect((await call(`GET /admin/configurations/${first!.version}/diff/none`)).status).toBe(404);
  // The reload by hand stands in the same list as what it brought.
  expect(changes.map(({ action }) => action)).toEqual(['reload', 'configuration', 'configuration']);

  // The file back, put in force again.
  writeFileSync(file(), back.files[0]!.text);
  expect((await call<{ version: string }>('POST /admin/configuration/reload')).body.version).toBe(first!.version);
  expect((await list()).configurations).toHaveLength(3);
});

test('writes stand in the list with who made them, and without the loyalty ID', async () => {
  await put('private-id-4711');
  const { changes } = await list();
  expect(changes[0]).toMatchObject({ action: 'write member', who: 'operator', facts: { member: expect.any(String) } });
  expect(JSON.stringify(changes)).not.toContain('private-id-4711');
  const { length } = changes;
  await put('private-id-4711', [], { status: 'odd' });
  await call('GET /admin/configuration');
  expect((await list()).changes).toHaveLength(length);
});

test('an erased member is in no file that is kept', async () => {
  const [, spring] = (await list()).configurations;
  const next = configurationOf({ members: [memberOf('member-twenty', ['twenty'])] });
  writeFileSync(file(), JSON.stringify(next));
  await call('POST /admin/configuration/reload');
  expect((await call(`DELETE ${memberPath('secret-guest')}`)).status).toBe(200);
  for (const { version } of (await list()).configurations) {
    const { files } = await get<Files>(`/admin/configurations/${version}`);
    expect(files[0]!.text).not.toContain('secret-guest');
    if (version !== spring!.version) expect(files[0]!.text).toContain('member-twenty');
  }
});
