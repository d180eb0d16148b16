import type { LocatedFault, Place } from '../../../../../src/programme/configuration-error.ts';

/** Errors and warnings of a draft in words, each with its place. */

export function wordsOfFault(fault: LocatedFault): string {
  const { found, allowed, nearest } = fault;
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `${describePlace(fault)} found ${found}, allowed: ${allowed}${meant}`;
}

export function wordsOfWarning(warning: Place & { text: string }): string {
  return `${describePlace(warning)} ${warning.text}`;
}

function describePlace({ file, line, column, path }: Place) {
  const position = line === undefined ? '' : `:${line}:${column}`;
  return `${file}${position}:${path === '' ? '' : ` ${path}:`}`;
}
