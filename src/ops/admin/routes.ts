import { readCalculationRoute } from './calculations.ts';
import { readConfigurationRoute, reloadRoute } from './configuration.ts';
import { explainRoute } from './explain.ts';
import { eraseMemberRoute, readMemberRoute, writeMemberRoute } from './members.ts';
import type { AdminRoute } from './route.ts';

/** Every route of the administration; what answers and what is documented are both made from it. */
export const ADMIN_ROUTES: readonly AdminRoute[] = [
  readMemberRoute,
  writeMemberRoute,
  eraseMemberRoute,
  readCalculationRoute,
  explainRoute,
  readConfigurationRoute,
  reloadRoute,
];
