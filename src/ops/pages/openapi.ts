import { openApiDocument } from '../../openapi/document.ts';
import { renderPage } from '../../openapi/page.ts';
import type { Page } from './page.ts';

/** The page needs its own style and nothing else; whatever else a browser would do with it is forbidden. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

let pages: Readonly<Record<string, Page>> | undefined;

/** The page at a path: `/openapi.json`, or `/docs` for people; undefined for any other. Rendered once, when first asked for. */
export function findOpenApiPage(path: string | undefined): Page | undefined {
  if (path !== '/openapi.json' && path !== '/docs') return undefined;
  pages ??= {
    '/openapi.json': {
      contentType: 'application/json; charset=utf-8',
      headers: {},
      body: `${JSON.stringify(openApiDocument(), null, 2)}\n`,
    },
    '/docs': {
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': CONTENT_SECURITY_POLICY, 'x-content-type-options': 'nosniff' },
      body: renderPage(openApiDocument()),
    },
  };
  return pages[path];
}
