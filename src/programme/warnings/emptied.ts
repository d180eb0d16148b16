import type { BenefitDefinition } from '@loyalty/engine/definition';
import { whensOf } from '../benefit-relations.ts';
import { selectorsOf } from '../selectors.ts';
import { UNRESTRICTED } from '../unrestricted.ts';
import type { Warning } from './surroundings.ts';

/** Restrictions whose last entry was taken out: the benefit is then not for nobody, but for all. */

const LEAVE_OUT = 'leave it out if that is meant';

export function* findEmptied(benefit: BenefitDefinition, path: string): Generator<Warning> {
  for (const [when, place] of whensOf(benefit, path)) {
    const fields = Object.entries(when);
    if (fields.length === 0) yield { path: place, text: `an empty window is always open: ${LEAVE_OUT}` };
    for (const [name, value] of fields) {
      if (!Array.isArray(value) || value.length > 0) continue;
      const open = UNRESTRICTED[name];
      yield { path: `${place}.${name}`, text: `an empty list restricts nothing, it means ${open}: ${LEAVE_OUT}` };
    }
  }
  // A price of a unit for every product has a warning of its own.
  if (benefit.kind === 'unit_price') return;
  for (const [place] of selectorsOf(benefit)) {
    const written = writtenAt(benefit, place);
    if (typeof written !== 'object' || Object.keys(written!).length > 0) continue;
    yield { path: `${path}.${place}`, text: `an empty selector takes every product: ${LEAVE_OUT}` };
  }
}

/** The value at a place such as `items[0].appliesTo`; undefined where the file has none. */
function writtenAt(benefit: BenefitDefinition, place: string): unknown {
  const step = (value: unknown, name: string) => (value as Readonly<Record<string, unknown>>)[name];
  return place.split(/\]?\.|\[/).reduce<unknown>(step, benefit);
}
