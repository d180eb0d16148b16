/**
 * The banner for a person who has just started staging. It goes to standard error, because standard output holds the
 * log and nothing but JSON lines. A file is undefined when its secret or token was given.
 */
export function startupBanner(facts: {
  readonly baseUrl: string;
  readonly opsUrl: string;
  readonly secretFile: string | undefined;
  readonly opsTokenFile: string | undefined;
}): string {
  return [
    '',
    'Loyalty basket service, environment staging',
    `  base URL    ${facts.baseUrl}`,
    `  operations  ${facts.opsUrl}   (open it in a browser; /healthz, /readyz, /metrics, /docs)`,
    `  secret      ${facts.secretFile ?? 'from LOYALTY_SECRETS'}`,
    `  ops token   ${facts.opsTokenFile ?? 'from OPS_TOKEN'}   (Authorization: Bearer …, for /admin)`,
    '  try         npm run demo   (in another terminal; plays checkouts and a day in a shop)',
    '',
    '',
  ].join('\n');
}
