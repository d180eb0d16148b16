/**
 * Says in words why a file or folder cannot be read. The system's own message begins with `EACCES`, and does not say that
 * the user of the process is what matters. `error` is that of a function of `node:fs`.
 */
export function describeUnreadable(path: string, error: unknown): string {
  const { code } = error as { readonly code?: string };
  const shown = JSON.stringify(path);
  if (code === 'EACCES' || code === 'EPERM') return `the user of this process may not read ${shown}`;
  if (code === 'ENOENT' || code === 'ENOTDIR') return `the file ${shown} does not exist`;
  return `${shown} cannot be read (${code ?? 'an error'})`;
}
