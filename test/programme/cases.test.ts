/**
 * What `check` says of a file, in tables: every line of test/programme/cases is one file.
 *
 * Before → is the benefit of its programme, as YAML has it in one line, or a list of them; after a comma what else the
 * file has: venues, fields of the programme, members, the members that the service knows, and other fields of the file. After → is what is said,
 * with ⏎ between two sentences, and of a line without → nothing is. A benefit without `kind` takes 10 % off lines;
 * the first is called b0, and the venue that is not said is `oslo`, all in case-file.ts.
 *
 * Under a heading, `given` is what else all its files have, `each` what all their benefits have, and `about` a pattern
 * of the sentences that are looked at: the others are of no interest there.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tell } from './case-file.ts';
import { readThemes, toldLines } from './tables.ts';

const folder = new URL('cases/', import.meta.url);

describe.each(readdirSync(folder))('%s', (name) => {
  it.each(readThemes(new URL(name, folder)).map((theme) => [theme.heading, theme] as const))('%s', (_, theme) => {
    expect(theme.lines.length).toBeGreaterThan(0);
    expect(toldLines(theme, '→', (words) => tell(words, theme))).toEqual(theme.lines);
  });
});
