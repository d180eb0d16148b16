import type { GatewayOptions } from '../gateway/server.ts';
import { findOpenApiPage } from '../ops/pages/openapi.ts';
import type { Settings } from '../settings.ts';

/** Where callers read of the interface: `docUrl` of errors, and the pages of the public listener where these are on. */
export function publishedDocs(
  { docsUrl, isDocsPublic }: Settings,
  configured: Parameters<typeof findOpenApiPage>[1],
): Pick<GatewayOptions, 'docsUrl' | 'findPublicPage'> {
  return { docsUrl, findPublicPage: isDocsPublic ? (path) => findOpenApiPage(path, configured) : undefined };
}
