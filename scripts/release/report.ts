import type { Audit } from './audit.ts';

interface Release {
  readonly version: string;
  readonly commit: string;
  readonly audit: Audit;
  readonly licences: readonly [licence: string, packages: string[]][];
}

/** The page that goes with a release: how to install it, weaknesses and licences of what it runs on. */
export function renderReport({ version, commit, audit, licences }: Release): string {
  const packages = licences.reduce((sum, [, names]) => sum + names.length, 0);
  return `# loyalty-basket-gateway ${version}

Commit \`${commit}\`. Check what you have: \`sha256sum -c SHA256SUMS\`.

| file | what |
| --- | --- |
| \`loyalty-basket-gateway-${version}.tgz\` | the service: unpack, \`npm start\` |
| \`loyalty-basket-client-${version}.tgz\` | the client package: \`npm install ./loyalty-basket-client-${version}.tgz\` |
| \`loyalty-basket-conformance-${version}.tgz\` | the conformance kit and the double |
| \`loyalty-basket-gateway-${version}.cdx.json\` | the packages that the service runs on, as CycloneDX |
| \`CHANGES.md\` | what changed |

## The image

\`\`\`sh
tar -xzf loyalty-basket-gateway-${version}.tgz && cd loyalty-basket-gateway-${version}
docker build -t loyalty-basket-gateway:${version} .
docker run --read-only --tmpfs /tmp -v loyalty-data:/data -p 8080:8080 -p 127.0.0.1:9090:9090 -e REDIS_URL=redis://… loyalty-basket-gateway:${version}
\`\`\`

## Known vulnerabilities

${renderAudit(audit)}

## Licences

${packages} packages, without those of development.

| licence | packages | |
| --- | ---: | --- |
${licences.map(([licence, names]) => `| ${licence} | ${names.length} | ${names.join(', ')} |`).join('\n')}
`;
}

function renderAudit(audit: Audit): string {
  if (audit.outcome === 'not asked')
    return `Not checked: ${audit.reason}. Run \`npm audit --omit=dev\` with a registry that supports it.`;
  if (audit.findings.length === 0) return 'The registry reports none.';
  const rows = audit.findings.map(({ name, severity, range }) => `| ${name} | ${severity} | ${range} |`);
  return ['| package | severity | versions |', '| --- | --- | --- |', ...rows].join('\n');
}
