import { languageOfText, type Texts } from '@loyalty/engine/compile/words';
import type { BenefitDefinition, ProgrammeDefinition } from '@loyalty/engine/definition';
import { venuesOf } from '../benefit-relations.ts';
import type { VenueEntry } from '../schema.ts';
import type { Surroundings, Warning } from './surroundings.ts';

/** Texts that a receipt does not show as they are meant: in another language than that of the venue, or with signs that it cannot print. */

/** Warns of the label of a programme. */
export function* findLabelFlaws({ path, programme, venues }: Surroundings): Generator<Warning> {
  const { memberLabel } = programme as ProgrammeDefinition;
  yield* findMissing(memberLabel, `${path}.memberLabel`, venues);
  yield* findUnprintable(memberLabel, `${path}.memberLabel`);
}

/** Warns of the text of a benefit, at the venues where it may apply. */
export function* findTextFlaws(benefit: BenefitDefinition, path: string, { venues }: Surroundings): Generator<Warning> {
  const open = venuesOf(benefit, venues);
  yield* findMissing(benefit.text, `${path}.text`, open);
  yield* findUnprintable(benefit.text, `${path}.text`);
}

/** Warns of texts of which a receipt shows nothing, or not what is written. */
function* findUnprintable(texts: Texts | undefined, path: string): Generator<Warning> {
  const written = typeof texts === 'object' ? Object.entries(texts) : [['', texts ?? '-'] as const];
  for (const [language, words] of written) {
    const place = language === '' ? path : `${path}.${language}`;
    if (/[\p{Cc}\u2028\u2029]/u.test(words)) {
      const text = 'it has a line break, or another sign that no receipt prints: write it on the line of its name';
      yield { path: place, text };
    } else if (words.trim() === '') yield { path: place, text: 'it has blanks alone: leave it out' };
  }
}

/** Warns once for each language that is missing, with the first venue that has it. */
function* findMissing(texts: Texts | undefined, path: string, venues: readonly VenueEntry[]): Generator<Warning> {
  if (typeof texts !== 'object') return;
  const told = new Set<string | undefined>();
  for (const { venueId, language } of venues) {
    if (languageOfText(texts, language) !== undefined || told.has(language)) continue;
    told.add(language);
    const why =
      language === undefined
        ? `venue ${venueId} has no language`
        : `it has no text in ${language}, the language of venue ${venueId}`;
    yield { path, text: `${why}: its guests get the first text, in ${Object.keys(texts)[0]}` };
  }
}
