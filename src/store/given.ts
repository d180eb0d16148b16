/**
 * What an answer gives by its benefits, as it stands with the calculation and in its events: the programme, the currency,
 * and `benefitId=units/saved` of each benefit, separated by blanks; `saved` is in minor units. The text lies in fields of at
 * most 64 bytes, as the kept basket does (calculations.ts), `g0` to `g7`; of very many benefits the last one is longer.
 */
export interface Given {
  readonly programmeId: string;
  readonly currency: string;
  readonly benefits: readonly GivenBenefit[];
}

export interface GivenBenefit {
  readonly benefitId: string;
  /** Discounted units; 1 of a discount on the order. */
  readonly units: number;
  /** Minor units, with the price of products given. */
  readonly saved: number;
}

const FIELD_CHARACTERS = 64;
const MAX_FIELDS = 8;

/** Writes the text, cut into the values of its fields. All of it is ASCII. */
export function cutGiven({ programmeId, currency, benefits }: Given): string[] {
  const words = benefits.map(({ benefitId, units, saved }) => `${benefitId}=${units}/${saved}`);
  const text = [programmeId, currency, ...words].join(' ');
  const values: string[] = [];
  for (let at = 0; at < text.length; at += FIELD_CHARACTERS) {
    if (values.length === MAX_FIELDS - 1) return [...values, text.slice(at)];
    values.push(text.slice(at, at + FIELD_CHARACTERS));
  }
  return values;
}

/** Reads the text; undefined of a calculation of an older version, which has none. */
export function readGiven(text: string): Given | undefined {
  const [programmeId, currency, ...words] = text.split(' ');
  if (!programmeId || !currency) return undefined;
  const benefits = words.map((word) => {
    const [, benefitId = '', units, saved] = /^(.+)=(\d+)\/(\d+)$/.exec(word) ?? [];
    return { benefitId, units: Number(units), saved: Number(saved) };
  });
  return { programmeId, currency, benefits };
}
