/** The runbook's shell reads the settings of the service as systemd reads them for its unit. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { runInRunbook } from './runbook-shell.ts';

afterAll(cleanUp);

/** What the shell makes of a unit with this settings.env. */
function settled(settings: string): string[] {
  const SETTINGS_FILE = join(temporaryDirectory(), 'settings.env');
  writeFileSync(SETTINGS_FILE, settings);
  const shown = 'printf "%s\\n" "$OPS" "$DATA_DIR" "${REDIS_URL:-}"';
  return runInRunbook(shown, { WHERE: 'systemd', SETTINGS_FILE }).trimEnd().split('\n');
}

const DATA = '/var/lib/loyalty-gateway';

test.each([
  ['OPS_HOST=10.0.0.5\nOPS_PORT=9191', 'http://10.0.0.5:9191'],
  ['OPS_HOST=fd00::5', 'http://[fd00::5]:9090'],
  ['OPS_HOST=0.0.0.0', 'http://127.0.0.1:9090'],
  ['OPS_HOST=::', 'http://127.0.0.1:9090'],
  ['# OPS_HOST=10.0.0.5\nOPS_HOST=', 'http://127.0.0.1:9090'],
])('the operations port of %j is %s', (settings, ops) => {
  expect(settled(settings)).toEqual([ops, DATA]);
});

test.each(['"', "'", ''])('values lose %j and white space around them, and may contain an =', (quote) => {
  const file = `DATA_DIR=${quote}/srv/loyalty${quote} \n  REDIS_URL=${quote}redis://x:6379/1?a=b${quote}\n`;
  expect(settled(file)).toEqual(['http://127.0.0.1:9090', '/srv/loyalty', 'redis://x:6379/1?a=b']);
});
