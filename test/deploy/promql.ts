/** What PromQL expressions name, read roughly: enough for those in deploy/. */

/** One selector of an expression: a metric and the labels that it matches or groups by. */
export interface Selector {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

/** Every selector of a metric of the service, or of `up`. */
export function selectorsOf(expression: string): Selector[] {
  return [...expression.matchAll(/\b((?:loyalty|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, metric, inside]) => ({
      metric: metric as string,
      matchers: [...(inside ?? '').matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map((match) => {
        const [, label, operator, value] = match as unknown as [string, string, string, string];
        return { label, operator, value };
      }),
    }),
  );
}

/** Labels that an expression groups or joins by. */
export function groupingOf(expression: string): string[] {
  return [...expression.matchAll(/\b(?:by|on|without)\s*\(([^)]*)\)/g)].flatMap(([, names]) =>
    (names ?? '').split(',').map((name) => name.trim()),
  );
}
