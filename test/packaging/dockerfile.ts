/** What of the repository the final stage of a Dockerfile holds: the sources of its COPY lines, as they are written. */
export function copiedSources(dockerfile: string): string[] {
  return instructions(finalStage(dockerfile))
    .filter(([name]) => name === 'COPY' || name === 'ADD')
    .map(([, ...words]) => words)
    .filter((words) => !words.some((word) => word.startsWith('--from=')))
    .flatMap((words) => words.filter((word) => !word.startsWith('--')).slice(0, -1))
    .map(withoutDot);
}

/** The sources of every COPY line of every stage that come from the repository. */
export function neededSources(dockerfile: string): string[] {
  return stages(dockerfile).flatMap(copiedSources);
}

/** True when a .dockerignore of the form "everything but these" lets a path through. */
export function isSentToBuilder(dockerignore: string, path: string): boolean {
  const lines = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  if (lines[0] !== '*') throw new Error('.dockerignore must begin by excluding everything');
  return lines.slice(1).some((line) => line.startsWith('!') && isWithin(path, line.slice(1)));
}

/** True when `path` is `folder` or stands below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The instructions of a Dockerfile as words, continued lines joined and comments left out. */
export function instructions(dockerfile: string): string[][] {
  return dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([name]) => name !== '');
}

function stages(dockerfile: string): string[] {
  return dockerfile.split(/^(?=FROM )/m).filter((stage) => stage.startsWith('FROM '));
}

function finalStage(dockerfile: string): string {
  return stages(dockerfile).at(-1) ?? '';
}

function withoutDot(path: string): string {
  return path.replace(/^\.\//, '').replace(/\/$/, '');
}
