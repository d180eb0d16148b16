import { languageOfText, type Texts } from '@loyalty/engine/compile/words';
import type { ProgrammeDefinition } from '@loyalty/engine/definition';
import type { VenueEntry } from '../schema.ts';
import type { WrittenBenefit } from '../written-benefit.ts';
import type { Around, Said } from './advice.ts';

/** Texts that a receipt does not show as they are meant: in another language than that of the venue, or with signs that it cannot print. */

export function labelFlaws({ programme, venues }: Around): Iterable<Said> {
  return flawsOf((programme as ProgrammeDefinition).memberLabel, 'memberLabel', venues);
}

/** Of a benefit, at the venues where it may apply. */
export function textFlaws({ benefit, venues }: WrittenBenefit): Iterable<Said> {
  return flawsOf(benefit.text, 'text', venues);
}

function* flawsOf(texts: Texts = '-', place: string, venues: readonly VenueEntry[]): Generator<Said> {
  const written = typeof texts === 'object' ? Object.entries(texts) : [['', texts] as const];
  for (const [language, words] of written) {
    const own = language === '' ? place : `${place}.${language}`;
    if (/[\p{Cc}\u2028\u2029]/u.test(words)) {
      yield [own, 'it has a line break, or another sign that no receipt prints: write it on the line of its name'];
    } else if (words.trim() === '') yield [own, 'it has blanks alone: leave it out'];
  }
  if (typeof texts === 'string') return;
  // Each language that is missing once, with the first venue that has it.
  for (const [language, [first]] of Map.groupBy(venues, (venue) => venue.language)) {
    if (languageOfText(texts, language) !== undefined) continue;
    const why =
      language === undefined
        ? `venue ${first!.venueId} has no language`
        : `it has no text in ${language}, the language of venue ${first!.venueId}`;
    yield [place, `${why}: its guests get the first text, in ${Object.keys(texts)[0]}`];
  }
}
