/** The note of a configuration is written into its file, and nothing else of the file changes. */
import { describe, expect, test } from 'vitest';
import { hasNote, withNote } from '../../src/programme/note.ts';

describe('the note of a file', () => {
  test.each([
    ['is put before the first name', '# a file\nvenues: []\n', '# a file\nnote: "Spring"\nvenues: []\n'],
    ['takes the place of the one before', 'note: Winter # old\nvenues: []\n', 'note: "Spring" # old\nvenues: []\n'],
    ['of several lines too', 'note: |\n  Winter\n  and snow\nvenues: []\n', 'note: "Spring"\nvenues: []\n'],
    ['is put before all of an empty file', '', 'note: "Spring"\n'],
    ['is put before what is no mapping', '7', 'note: "Spring"\n7'],
    ['at the end without a line break', 'a: 1\nnote: |-\n  x', 'a: 1\nnote: "Spring"'],
    ['in JSON', '{"venues": []}', '{"note": "Spring", "venues": []}'],
  ])('%s', (_, text, expected) => {
    expect(withNote(text, 'Spring')).toBe(expected);
    expect([hasNote(text), hasNote(expected)]).toEqual([text.includes('note'), true]);
  });
});
