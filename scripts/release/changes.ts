/**
 * The changelog's section of a version, or the one of what is unreleased where the version has none yet. Throws when there is neither.
 */
export function changesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m).slice(1);
  const named = sections.find(
    (section) => section.startsWith(`## ${version} `) || section.startsWith(`## ${version}\n`),
  );
  const found = named ?? sections.find((section) => /^## Unreleased\b/.test(section));
  if (found === undefined)
    throw new Error(`CHANGELOG.md has no section "## ${version}" and none of what is unreleased`);
  return `${found.replace(/^## .*/, `# ${version}`).trimEnd()}\n`;
}
