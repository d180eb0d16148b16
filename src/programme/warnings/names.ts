import { nearestName } from '../nearest-name.ts';

/** Numbers of neighbouring products differ by one digit, so names with digits are no mistakes of typing. */
export function looksMistyped(name: string, known: readonly string[]): boolean {
  return /^\D+$/.test(name) && nearestName(name, known) !== undefined;
}

/** `; did you mean coffee?`, or nothing. */
export function suggest(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}
