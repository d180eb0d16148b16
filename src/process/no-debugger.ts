/**
 * Switches off Node's answer to SIGUSR1, a debugger on 127.0.0.1 that every local user may connect to, and that reads the
 * secrets in memory. A listener replaces Node's own. The option `--disable-sigusr1`, which the start commands have, also
 * covers the moment before this module runs.
 */
process.on('SIGUSR1', () => {
  process.stderr.write('loyalty: SIGUSR1 opens no debugger here\n');
});
