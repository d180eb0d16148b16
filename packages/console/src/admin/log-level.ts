import type { LogLevel } from '../../../../src/settings/log-level.ts';
import { type AdminRoute, answered } from './route.ts';

/** Shows the level of the log, and changes it without a restart, which would end what was to be watched. */

const PATH = '/admin/log-level';

export const readLogLevelRoute: AdminRoute = {
  method: 'GET',
  path: PATH,
  role: 'read',
  operationId: 'readLogLevel',
  summary: 'The level of the log',
  description: 'The level that is in force in every process.',
  answerSchema: 'LogLevel',
  handle: ({ log }) => answered({ level: log.level }),
};

export const writeLogLevelRoute: AdminRoute = {
  method: 'PUT',
  path: PATH,
  role: 'admin',
  action: 'set log level',
  operationId: 'writeLogLevel',
  summary: 'Set the level of the log',
  description:
    'For every process, at once, until the service is started again; `LOG_LEVEL` is the level that it starts with. The audit log is written at every level.',
  requestSchema: 'LogLevel',
  answerSchema: 'LogLevel',
  failures: { invalid: 'No such level.' },
  handle(administration, { value }) {
    const { level } = value as { readonly level: LogLevel };
    administration.setLogLevel(level);
    return answered({ level }, { audit: { logLevel: level } });
  },
};
