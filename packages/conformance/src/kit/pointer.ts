/** JSON Pointers (RFC 6901) into bodies, whose fields have neither `~` nor `/` in their names. */

export type Json = Record<string, unknown>;

/** A value to be put, or how it follows from the body; undefined takes the field away. */
export type Put = unknown | ((body: Json) => unknown);

/** The object that a pointer leads to; the empty one leads to the body itself. */
export function objectAt(body: Json, pointer: string): Json {
  const names = pointer.split('/').slice(1);
  return names.reduce((value, name) => value[name] as Json, body);
}

/** A copy of a body, as it is sent, with one field changed. */
export function withValue(body: object, pointer: string, put: Put): Json {
  const copy = JSON.parse(JSON.stringify(body)) as Json;
  const at = pointer.lastIndexOf('/');
  const parent = objectAt(copy, pointer.slice(0, at));
  const name = pointer.slice(at + 1);
  const value = typeof put === 'function' ? put(copy) : put;
  if (value === undefined) delete parent[name];
  else parent[name] = value;
  return copy;
}
