/** What was in force: each configuration once, since when and until when, and no more of them than there is room for. */
import { expect, test } from 'vitest';
import { noteChange, readChanges } from '../../src/store/changes.ts';
import {
  noteConfiguration,
  readConfigurationFiles,
  readConfigurations,
  rewriteConfigurationFiles,
} from '../../src/store/configuration-history.ts';
import { useFixture } from './fixture.ts';

const fixture = useFixture();
const filesOf = (version: string) => [{ name: 'x.yaml', text: `note: ${version}\n` }];
const note = (version: string, isNew = true, most?: number) =>
  noteConfiguration(
    fixture.store,
    { version, note: `of ${version}`, files: ['x.yaml'] },
    filesOf(version),
    isNew,
    most,
  );
const versions = async () => (await readConfigurations(fixture.store)).map(({ version }) => version);

test('each process notes what it runs, and the list has it once until another comes', async () => {
  await note('one');
  await note('one');
  await note('two');
  // A process that still runs the first says so every hour, and is not believed.
  await note('one', false);
  await note('one');
  const [first, second, third] = await readConfigurations(fixture.store);
  expect(await versions()).toEqual(['one', 'two', 'one']);
  expect(first).toMatchObject({ note: 'of one', files: ['x.yaml'], untilMs: second!.sinceMs });
  expect(third!.untilMs).toBeUndefined();
});

test('an empty list takes what is in force again', async () => {
  await note('one', false);
  expect(await versions()).toEqual(['one']);
});

test('the oldest go with their files, unless they were in force again since', async () => {
  for (const version of ['one', 'two', 'one', 'three']) await note(version, true, 3);
  expect(await versions()).toEqual(['two', 'one', 'three']);
  expect(await readConfigurationFiles(fixture.store, 'one')).toEqual(filesOf('one'));
  await note('four', true, 3);
  expect(await readConfigurationFiles(fixture.store, 'two')).toBeUndefined();
});

test('files are changed for an erasure, all that are kept', async () => {
  for (const version of ['one', 'two']) await note(version);
  expect(await rewriteConfigurationFiles(fixture.store, (text) => text.replace('two', 'erased'))).toBe(1);
  expect(await readConfigurationFiles(fixture.store, 'two')).toEqual([{ name: 'x.yaml', text: 'note: erased\n' }]);
  expect(await readConfigurationFiles(fixture.store, 'one')).toEqual(filesOf('one'));
  // Of one whose files are gone there is nothing to change.
  await fixture.redis.client.del(fixture.store.keys.configurationFiles('one'));
  expect(await rewriteConfigurationFiles(fixture.store, (text) => text.replace('erased', 'gone'))).toBe(1);
});

test('a version with two files is changed where one of them is', async () => {
  const files = [...filesOf('one'), { name: 'y.yaml', text: 'note: two\n' }];
  await noteConfiguration(fixture.store, { version: 'v', files: ['x.yaml', 'y.yaml'] }, files, true);
  expect(await rewriteConfigurationFiles(fixture.store, (text) => text.replace('two', 'erased'))).toBe(1);
  expect((await readConfigurationFiles(fixture.store, 'v'))!.map(({ text }) => text)).toEqual([
    ...['note: one\n', 'note: erased\n'],
  ]);
});

test('changes are read newest first, and those with very many facts without them', async () => {
  await noteChange(fixture.store, { who: 'kari', action: 'write member', facts: { member: 'P1' } });
  await noteChange(fixture.store, { who: 'ola', action: 'import members', facts: { names: 'x'.repeat(3_000) } });
  const [second, first] = await readChanges(fixture.store, 10);
  expect(first).toMatchObject({ who: 'kari', action: 'write member', facts: { member: 'P1' } });
  expect(second).toMatchObject({ who: 'ola', facts: {} });
  const facts = (characters: number) => ({ names: 'x'.repeat(characters - JSON.stringify({ names: '' }).length) });
  for (const characters of [2_000, 2_001]) {
    await noteChange(fixture.store, { who: 'ola', action: 'import members', facts: facts(characters) });
  }
  expect((await readChanges(fixture.store, 2)).map((change) => change.facts)).toEqual([{}, facts(2_000)]);
});
