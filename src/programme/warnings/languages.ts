import { languageOfText, type Texts } from '../../pricing/compile/words.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../pricing/definition.ts';
import { isOpenAt } from '../benefit-relations.ts';
import type { VenueEntry } from '../schema.ts';
import type { Surroundings, Warning } from './surroundings.ts';

/** Texts by language that lack the language of a venue, whose guests then read another one. */

/** Warns of the label of a programme. */
export function findMissingLabels({ path, programme, venues }: Surroundings): Iterable<Warning> {
  return findMissing((programme as ProgrammeDefinition).memberLabel, `${path}.memberLabel`, venues);
}

/** Warns of the text of a benefit, at the venues where it may apply. */
export function findMissingTexts(
  benefit: BenefitDefinition,
  path: string,
  { venues }: Surroundings,
): Iterable<Warning> {
  const open = venues.filter(({ venueId }) => isOpenAt(benefit, venueId));
  return findMissing(benefit.text, `${path}.text`, open);
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
