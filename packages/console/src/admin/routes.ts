import { readCalculationRoute, resolveConflictRoute } from './calculations.ts';
import { moveClockRoute, readClockRoute, resetClockRoute } from './clock.ts';
import { readConfigurationRoute, reloadRoute } from './configuration.ts';
import { compareConfigurationsRoute, readConfigurationsRoute, readPastConfigurationRoute } from './configurations.ts';
import { readCostsRoute } from './costs.ts';
import { backtestRoute, editPricesRoute, readFilesRoute, reviewDraftRoute } from './drafts.ts';
import { explainRoute } from './explain.ts';
import { removeGrantRoute, writeGrantRoute } from './grants.ts';
import { readCommonLimitsRoute } from './limits.ts';
import { lookUpRoute, readRequestRoute } from './look-up.ts';
import { copyMemberRoute, giveBackRoute, mergeRoute } from './member-actions.ts';
import { eraseMemberRoute, readMemberRoute, writeMemberRoute } from './members.ts';
import { acceptDataRoute, readLogLevelRoute, writeLogLevelRoute } from './processes.ts';
import { putInForceRoute } from './put-in-force.ts';
import { bookReturnRoute, quoteReturnRoute, readReturnsRoute } from './returns.ts';
import type { AdminRoute } from './route.ts';
import { searchSalesRoute } from './sales.ts';
import { readVouchersRoute } from './vouchers.ts';

/** Every route of the administration; the router and the documentation are both made from this list. */
export const ADMIN_ROUTES: readonly AdminRoute[] = [
  readMemberRoute,
  writeMemberRoute,
  eraseMemberRoute,
  writeGrantRoute,
  removeGrantRoute,
  mergeRoute,
  giveBackRoute,
  copyMemberRoute,
  readCalculationRoute,
  resolveConflictRoute,
  lookUpRoute,
  searchSalesRoute,
  readRequestRoute,
  explainRoute,
  readReturnsRoute,
  quoteReturnRoute,
  bookReturnRoute,
  moveClockRoute,
  readClockRoute,
  resetClockRoute,
  readCostsRoute,
  readVouchersRoute,
  readCommonLimitsRoute,
  readConfigurationRoute,
  readConfigurationsRoute,
  readPastConfigurationRoute,
  compareConfigurationsRoute,
  readFilesRoute,
  reviewDraftRoute,
  editPricesRoute,
  backtestRoute,
  putInForceRoute,
  reloadRoute,
  acceptDataRoute,
  readLogLevelRoute,
  writeLogLevelRoute,
];
