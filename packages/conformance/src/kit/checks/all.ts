import type { Checks } from '../session.ts';
import { echoChecks } from './echo.ts';
import { idempotencyChecks } from './idempotency.ts';
import { identityChecks } from './identities.ts';
import { laterChecks } from './later.ts';
import { limitChecks } from './limits.ts';
import { numberChecks } from './numbers.ts';
import { rateLimitChecks } from './rate-limit.ts';
import { requestChecks } from './requests.ts';
import { saleChecks } from './sales.ts';
import { schemaChecks } from './schema.ts';
import { signatureChecks } from './signature.ts';
import { statusChecks } from './statuses.ts';
import { supersessionChecks } from './supersession.ts';
import { transportChecks } from './transport.ts';

/** Every check, in the order in which they run. The one that exhausts the rate limit comes last. */
export const ALL_CHECKS: Checks = {
  ...statusChecks,
  ...numberChecks,
  ...identityChecks,
  ...echoChecks,
  ...schemaChecks,
  ...limitChecks,
  ...requestChecks,
  ...transportChecks,
  ...signatureChecks,
  ...idempotencyChecks,
  ...saleChecks,
  ...supersessionChecks,
  ...laterChecks,
  ...rateLimitChecks,
};
