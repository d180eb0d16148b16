/** The limits of a definition, of which there may be none, one or several. */
export function limitsOf<Definition>(definition: {
  readonly limit?: Definition | readonly Definition[] | undefined;
}): readonly Definition[] {
  return definition.limit === undefined ? [] : ([definition.limit].flat() as Definition[]);
}
