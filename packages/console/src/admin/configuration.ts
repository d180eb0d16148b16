import type { ReloadOutcome } from './administration.ts';
import { type AdminAnswer, type AdminRoute, answered, refused } from './route.ts';

/** Shows the configuration in force, and reloads it. */

export const readConfigurationRoute: AdminRoute = {
  method: 'GET',
  path: '/admin/configuration',
  role: 'read',
  operationId: 'readConfiguration',
  summary: 'The configuration in force',
  description:
    'Environment, version, limits, budget, and venues and programmes with their benefits as the files word them. Of members and secrets only how many there are.',
  answerSchema: 'Configuration',
  handle(administration) {
    const { environment, secretCount, source } = administration.current();
    const { name, version, rateLimit, calculation, latencyBudget, wording, members } = environment;
    const { requestedAt, venues, programmes } = wording;
    const counts = { members: members.length, secrets: secretCount };
    return answered({
      environment: name,
      version,
      files: source.files.map((file) => file.name),
      rateLimit,
      calculation,
      latencyBudget,
      ...(requestedAt && { requestedAt }),
      ...counts,
      venues,
      programmes,
    });
  },
};

export const reloadRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/configuration/reload',
  role: 'admin',
  action: 'reload',
  operationId: 'reloadConfiguration',
  summary: 'Read configuration and secrets again',
  description:
    'The same as SIGHUP, and as what happens by itself within about three seconds of a change of the files. They are checked, then taken over whole between two calls, in every process; the answer comes when that is done.',
  answerSchema: 'Reloaded',
  failures: {
    refused: 'The files cannot be used: the error says why, and the old configuration stays.',
    unavailable: 'Not every process has taken the new configuration over: the error names them. Send it again.',
  },
  async handle(administration) {
    const reloaded = await administration.reload('administration');
    return answerOfReload(reloaded, { ...reloaded });
  },
};

export function answerOfReload(reloaded: ReloadOutcome, audit: NonNullable<AdminAnswer['audit']>): AdminAnswer {
  switch (reloaded.outcome) {
    case 'reloaded':
      return answered({ version: reloaded.configuration }, { audit });
    case 'refused':
      return refused('refused', `The old configuration stays: ${reloaded.reason}`, audit);
    case 'incomplete':
      return refused('unavailable', `Not every process runs ${reloaded.configuration}: ${reloaded.reason}`, audit);
  }
}
