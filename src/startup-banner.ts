/** What a person who has just started staging wants to know. `secretFile` is undefined when the secret was given. */
export function startupBanner(facts: {
  readonly baseUrl: string;
  readonly opsUrl: string;
  readonly secretFile: string | undefined;
}): string {
  return [
    '',
    'Loyalty basket service, environment staging',
    `  base URL    ${facts.baseUrl}`,
    `  operations  ${facts.opsUrl}   (open it in a browser; /healthz, /readyz, /metrics, /docs)`,
    `  secret      ${facts.secretFile ?? 'from LOYALTY_SECRETS'}`,
    '  try         npm run demo   (in another terminal; plays checkouts and a day in a shop)',
    '',
    '',
  ].join('\n');
}
