import type { BasketRequest } from '@loyalty/contract/basket-request';

/**
 * The same basket in a JSON that no usual encoder writes, but every parser reads: escaped characters, numbers with an
 * exponent, fields twice (the last one counts), unknown fields and blanks.
 */
export function spellUnusually(basket: BasketRequest): string {
  return ` ${spell(basket)}\r\n`;
}

function spell(value: unknown): string {
  if (typeof value === 'string') return spellText(value);
  if (typeof value === 'number') return spellNumber(value);
  if (Array.isArray(value)) return `[ ${value.map(spell).join(' ,\n')} ]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${spellText(name)}\t: ${spell(field)}`);
  // The first of two fields of one name is of another type, so that a reader who takes it notices.
  const doubled = Object.keys(value).map((name) => `${JSON.stringify(name)}:[null]`);
  return `{ ${[...doubled, '"__proto__":{"lineId":"x"}', '"unknown":[{"deep":1e400}]', ...fields].join(', ')} }`;
}

function spellText(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0'));
  return `"${units.map((unit, at) => (at % 2 === 0 ? `\\u${unit}` : spellUnit(text, at))).join('')}"`;
}

/** A surrogate must not stand alone between escapes, where it would be no valid UTF-8. */
function spellUnit(text: string, at: number): string {
  const character = text.charAt(at);
  return character.isWellFormed() ? JSON.stringify(character).slice(1, -1) : `\\u${text.charCodeAt(at).toString(16)}`;
}

function spellNumber(value: number): string {
  if (value === 0) return '-0.0E5';
  return Number(`${value}0e-1`) === value && Number.isInteger(value) ? `${value}0e-1` : `${value}e+0`;
}
