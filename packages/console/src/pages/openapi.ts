import { adminDocument } from '../admin/document.ts';
import { type ConfiguredLimits, openApiDocument } from '../openapi/document.ts';
import { renderPage } from '../openapi/page.ts';
import type { Page } from './page.ts';

/** The page needs its inline style only; the browser must load and run nothing else. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

let rendered: { readonly version: string; readonly pages: Readonly<Record<string, Page>> } | undefined;

/** The version and limits of the configuration that the pages show. */
type Configured = ConfiguredLimits & { readonly version: string };

const PATHS = ['/openapi.json', '/openapi-admin.json', '/docs'];

/**
 * Finds the page at a path: `/openapi.json`, `/docs` for people, `/openapi-admin.json` for the administration;
 * undefined for any other path. Each version of the configuration is rendered once, at the first request.
 */
export function findOpenApiPage(path: string | undefined, configured: () => Configured): Page | undefined {
  if (path === undefined || !PATHS.includes(path)) return undefined;
  const { version, ...limits } = configured();
  if (rendered?.version !== version) rendered = { version, pages: renderPages(limits) };
  return rendered.pages[path];
}

function renderPages(limits: ConfiguredLimits): Record<string, Page> {
  const document = openApiDocument(limits);
  return {
    '/openapi.json': jsonPage(document),
    '/openapi-admin.json': jsonPage(adminDocument()),
    '/docs': {
      contentType: 'text/html; charset=utf-8',
      headers: { 'content-security-policy': CONTENT_SECURITY_POLICY, 'x-content-type-options': 'nosniff' },
      body: renderPage(document),
    },
  };
}

function jsonPage(document: object): Page {
  const body = `${JSON.stringify(document, null, 2)}\n`;
  return { contentType: 'application/json; charset=utf-8', headers: {}, body };
}
