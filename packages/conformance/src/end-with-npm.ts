/** How often it is looked, in milliseconds. */
const INTERVAL_MS = 200;

/**
 * `npx` and `npm run` start a command in a shell, and pass SIGTERM on to that shell alone: the shell ends, and the command
 * would go on without anybody to end it. So a command of npm's ends when its parent does, as if it had the signal itself.
 * A command that was sent to the background has another parent before this line, and goes on.
 */
export function endWithNpm(env: NodeJS.ProcessEnv): void {
  if (env['npm_config_user_agent'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, INTERVAL_MS);
  watch.unref();
}
