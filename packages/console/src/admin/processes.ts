import type { LogLevel } from '../../../../src/settings/log-level.ts';
import { acceptData } from '../../../../src/store/dataset.ts';
import { type AdminRoute, answered } from './route.ts';

/** What is set for every process at once: the level of the log, without a restart that would end what is to be watched, and the data to go on with. */

/** Accepts an empty Redis after its data was lost for good. */
export const acceptDataRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/data/accept',
  role: 'admin',
  operationId: 'acceptData',
  summary: 'Go on with the data that Redis has now',
  description:
    'After Redis came back empty (`data_gone`), or one master of a cluster did, and no backup can be restored. Every process goes on within two seconds with what is there, and unknown members are `member_not_found` again. Where nothing is missing this changes nothing.',
  answerSchema: 'Dataset',
  async handle(administration) {
    const dataset = await acceptData(administration.current().store);
    return answered({ dataset }, { audit: { dataset } });
  },
};

const LOG_LEVEL_PATH = '/admin/log-level';

export const readLogLevelRoute: AdminRoute = {
  method: 'GET',
  path: LOG_LEVEL_PATH,
  role: 'read',
  operationId: 'readLogLevel',
  summary: 'The level of the log',
  description: 'The level that is in force in every process.',
  answerSchema: 'LogLevel',
  handle: ({ log }) => answered({ level: log.level }),
};

export const writeLogLevelRoute: AdminRoute = {
  method: 'PUT',
  path: LOG_LEVEL_PATH,
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
