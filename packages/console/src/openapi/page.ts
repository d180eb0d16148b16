import type { Json } from './schemas.ts';

/**
 * The document as a page for people: one HTML text without scripts, pictures or other resources, so that it is readable
 * on a machine that reaches only this port.
 */

const STYLE = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { padding: .8rem; overflow-x: auto; border: 1px solid #8884; border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0 1.4rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid #8884; }
h2 { margin-top: 2.6rem; } h3 { margin-top: 1.8rem; } details { margin: .4rem 0; } nav a { margin-right: .9rem; }
`;

type Named = Readonly<Record<string, Json>>;

/** Renders the whole document as HTML. */
export function renderPage(document: Json): string {
  const info = document['info'] as Json;
  const components = document['components'] as Readonly<Record<string, Named>>;
  const operations = Object.entries(document['paths'] as Named).map(([path, item]) => ({
    path,
    operation: item['post'] as Json,
  }));
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(info['title'])}</title><style>${STYLE}</style></head><body>`,
    `<h1>${escapeHtml(info['title'])}</h1><p>Interface ${escapeHtml(info['version'])} · <a href="openapi.json">openapi.json</a></p>`,
    `<nav>${operations.map(({ operation }) => link(String(operation['operationId']))).join('')}`,
    `${link('errors')}${link('headers')}${link('schemas')}</nav>`,
    prose(info['description']),
    ...operations.map(({ path, operation }) => renderOperation(path, operation)),
    `<h2 id="errors">Errors</h2>${Object.values(components['responses'] ?? {})
      .map(renderFailure)
      .join('')}`,
    `<h2 id="headers">Response headers</h2>${renderHeaders(components['headers'] ?? {})}`,
    '<h2 id="schemas">Schemas</h2>',
    ...Object.entries(components['schemas'] ?? {}).map(([name, schema]) => renderSchema(name, schema)),
    '</body></html>\n',
  ].join('\n');
}

function renderOperation(path: string, operation: Json): string {
  const requestBody = operation['requestBody'] as Json;
  const responses = operation['responses'] as Named;
  const [status = '', success = {}] = Object.entries(responses).find(([, response]) => !('$ref' in response)) ?? [];
  const failures = Object.entries(responses).filter(([, response]) => '$ref' in response);
  const [request, answer] = [jsonContent(requestBody), jsonContent(success)];
  const requests = request['examples'] as Named;
  const answers = answer['examples'] as Named;
  return [
    `<h2 id="${escapeHtml(operation['operationId'])}"><code>POST ${escapeHtml(path)}</code></h2>`,
    prose(operation['description']),
    `<p>Request: ${typeOf(request['schema'] as Json)}. ${inline(requestBody['description'])}<br>`,
    `Answer ${escapeHtml(status)}: ${typeOf(answer['schema'] as Json)}. ${inline(success['description'])}<br>`,
    `Otherwise: ${failures.map(([code]) => escapeHtml(code)).join(', ')}, each with the <a href="#Error">Error</a> body.</p>`,
    ...Object.entries(requests).map(([name, example]) => renderExample(example, answers[name]?.['value'])),
  ].join('\n');
}

function renderExample(example: Json, answer: unknown): string {
  const heading = `<summary>${inline(example['summary'])}</summary>`;
  return `<details>${heading}<p>Request</p>${json(example['value'])}<p>Answer</p>${json(answer)}</details>`;
}

function renderFailure(response: Json): string {
  const examples = Object.values(jsonContent(response)['examples'] as Named);
  const bodies = examples.map((example) => `<p>${inline(example['summary'])}</p>${json(example['value'])}`).join('');
  return `<details><summary>${inline(response['description'])}</summary>${bodies}</details>`;
}

function renderHeaders(headers: Named): string {
  const rows = Object.entries(headers).map(
    ([name, header]) => `<tr><td><code>${escapeHtml(name)}</code></td><td>${inline(header['description'])}</td></tr>`,
  );
  return `<table>${rows.join('')}</table>`;
}

function renderSchema(name: string, schema: Json): string {
  const heading = `<h3 id="${escapeHtml(name)}">${escapeHtml(name)}</h3>${prose(schema['description'] ?? '')}`;
  const properties = schema['properties'] as Named | undefined;
  if (!properties) return `${heading}<p>${typeOf(schema)}</p>`;
  const required = new Set(schema['required'] as string[] | undefined);
  const rows = Object.entries(properties).map(([field, property]) =>
    [
      `<tr><td><code>${escapeHtml(field)}</code>${required.has(field) ? '' : ' <small>optional</small>'}</td>`,
      `<td>${typeOf(property)}</td><td>${inline(property['description'] ?? '')}</td></tr>`,
    ].join(''),
  );
  return `${heading}<table><tr><th>Field</th><th>Type</th><th>Meaning</th></tr>${rows.join('')}</table>`;
}

/** Describes a schema in a few words, with a link to a schema that has a name. */
function typeOf(schema: Json): string {
  const ref = schema['$ref'];
  if (typeof ref === 'string') return link(ref.slice(ref.lastIndexOf('/') + 1));
  if (Array.isArray(schema['oneOf'])) return schema['oneOf'].map((part) => typeOf(part as Json)).join(' or ');
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'].map((part) => typeOf(part as Json)).join(', or any ');
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((value) => `<code>${escapeHtml(value)}</code>`).join(', ');
  if (schema['const'] !== undefined) return `<code>${escapeHtml(schema['const'])}</code>`;
  const bounds = Object.entries(schema)
    .filter(([keyword]) => /^(format|pattern|min|max|exclusive)/.test(keyword))
    .map(([keyword, bound]) => `${keyword} ${escapeHtml(bound)}`);
  const items = schema['items'] === undefined ? '' : ` of ${typeOf(schema['items'] as Json)}`;
  return [`${escapeHtml([schema['type']].flat().join(' or '))}${items}`, ...bounds].join(', ');
}

function jsonContent(holder: Json): Json {
  return (holder['content'] as Readonly<Record<string, Json>>)['application/json'] as Json;
}

function link(name: string): string {
  return `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`;
}

function json(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
}

/** Renders paragraphs, **bold** and `code`, the only Markdown in the descriptions. */
function prose(text: unknown): string {
  return String(text)
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('');
}

function inline(text: unknown): string {
  return escapeHtml(text)
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/`(.+?)`/g, '<code>$1</code>');
}

function escapeHtml(text: unknown): string {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
