/** The document as its readers get it, and a validator that knows only the document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { openApiDocument } from '../../packages/console/src/openapi/document.ts';
import type { ErrorExample } from '../../packages/console/src/openapi/error-examples.ts';
import { ROOT } from '../architecture/source.ts';
import type { Answer } from '../support/answer.ts';
import type { Configuration } from '../support/configuration.ts';

export type Node = Record<string, unknown>;

/** The limits of an environment that sets none. */
export const LIMITS = {
  rateLimit: { sustained: 50, burst: 200 },
  calculation: { holdMs: 1_800_000, idempotencyMs: 86_400_000 },
  latencyBudget: { p95Ms: 150, p99Ms: 250 },
};
export const document = JSON.parse(JSON.stringify(openApiDocument(LIMITS))) as Node;

/** The node at a JSON Pointer of the document. */
export function at(pointer: string): Node {
  const names = pointer.replace(/^#?\//, '').split('/');
  const found = names.reduce<unknown>(
    (node, name) => (node as Node | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
  if (typeof found !== 'object' || found === null) throw new Error(`the document has nothing at ${pointer}`);
  return found as Node;
}

/** Follows a reference, when the node is one. */
export function resolve(node: Node): Node {
  return typeof node.$ref === 'string' ? at(node.$ref) : node;
}

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uuid: true, 'date-time': true } });
ajv.addSchema(document, 'document');
const validators = new Map<string, ValidateFunction>();

/** What a schema of the document says against a value; empty when nothing. */
export function faultsOf(schema: string, value: unknown): string[] {
  let validate = validators.get(schema);
  if (!validate) {
    validate = ajv.compile({ $ref: `document#/components/schemas/${schema}` });
    validators.set(schema, validate);
  }
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

export function operationAt(path: string): Node {
  return at(`/paths/${path.replaceAll('/', '~1')}/post`);
}

/** The documented response for a status of a path; 404 and 405 belong to no operation and stand beside them. */
function responseFor(path: string, status: number): Node {
  const beside: Record<number, string> = { 404: 'NotFound', 405: 'MethodNotAllowed' };
  const name = beside[status];
  if (name !== undefined) return at(`/components/responses/${name}`);
  const response = (operationAt(path).responses as Record<string, Node>)[String(status)];
  if (!response) throw new Error(`${path} documents no ${status}`);
  return resolve(response);
}

/** Headers of HTTP itself, and of the server library, which the interface says nothing about. */
const TRANSPORT_HEADERS = ['content-type', 'content-length', 'connection', 'date', 'keep-alive', 'uwebsockets'];

/** Every way in which an answer differs from what the document says of it. */
export function differencesOf(path: string, answer: Answer): string[] {
  const response = responseFor(path, answer.status);
  const headers = response.headers as Record<string, Node>;
  const differences: string[] = [];
  for (const [name] of answer.headers) {
    const isKnown = Object.keys(headers).some((known) => known.toLowerCase() === name.toLowerCase());
    if (!isKnown && !TRANSPORT_HEADERS.includes(name.toLowerCase())) differences.push(`undocumented header ${name}`);
  }
  for (const [name, reference] of Object.entries(headers)) {
    const { required, schema } = resolve(reference) as { required?: boolean; schema: Node };
    const value = answer.header(name);
    if (value === undefined && required) differences.push(`header ${name} is missing`);
    if (value !== undefined && !ajv.validate(schema, value)) differences.push(`header ${name} is ${value}`);
  }
  const content = (response.content as Record<string, Node>)['application/json'] as Node;
  const reference = String((content.schema as Node).$ref);
  const schema = reference.slice(reference.lastIndexOf('/') + 1);
  return [...differences, ...faultsOf(schema, answer.json())];
}

/** The staging configuration as it is delivered, with a part changed where a test needs it. */
export function stagingConfiguration(change: Partial<Configuration> = {}): Configuration {
  const text = readFileSync(join(ROOT, 'config/staging.yaml'), 'utf8');
  return { ...(parse(text) as Configuration), ...change };
}

/** The answer is the example of an error, request ID aside, and what the document says of its status. */
export function expectExample(answer: Answer, example: ErrorExample, path: string): void {
  const { error } = answer.json<{ error: Record<string, unknown> }>();
  const { requestId: _, ...expected } = example.body.error;
  expect([answer.status, { ...error, requestId: undefined }]).toEqual([
    example.status,
    { ...expected, requestId: undefined },
  ]);
  expect(differencesOf(path, answer)).toEqual([]);
}
