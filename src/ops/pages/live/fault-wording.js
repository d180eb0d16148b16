/** Errors and warnings of a draft in words, each with its place. */

/** @typedef {import('../../../programme/configuration-error.ts').LocatedFault} LocatedFault */
/** @typedef {import('../../../programme/configuration-error.ts').Place} Place */

/**
 * @param {LocatedFault} fault
 * @returns {string}
 */
export function wordsOfFault(fault) {
  const { found, allowed, nearest } = fault;
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `${describePlace(fault)} found ${found}, allowed: ${allowed}${meant}`;
}

/**
 * @param {Place & { text: string }} warning
 * @returns {string}
 */
export function wordsOfWarning(warning) {
  return `${describePlace(warning)} ${warning.text}`;
}

/** @param {Place} place */
function describePlace({ file, line, column, path }) {
  const position = line === undefined ? '' : `:${line}:${column}`;
  return `${file}${position}:${path === '' ? '' : ` ${path}:`}`;
}
