import { HTTP_OK, OPERATIONS_STATUS } from '@loyalty/contract/errors';
import { buildSchemas, type Json, schemaRef } from '../openapi/schemas.ts';
import type { AdminRoute } from './route.ts';
import { ADMIN_ROUTES } from './routes.ts';
import { ADMIN_SCHEMAS } from './schemas.ts';

/** The OpenAPI 3.1 document of the administration, made from the routes that answer. */

const DESCRIPTION = `What operators and support do: members, what became of a calculation, why a basket is answered as it is,
the configuration. It is on the operations port only. Every call needs \`Authorization: Bearer\` with a token of \`OPS_TOKEN\`
whose role allows it (\`read\`, \`write\`, \`admin\`: each may do what those before it may; \`vendor\` and \`pos\`: only what says so), and every call stands in the log with the
token's name and the request ID. Unknown names in a query are refused.`;

/** The failures that every route may answer beside its own. */
const ALWAYS = {
  unauthorized: 'No token, or one that is not known.',
  forbidden: 'The token’s role is not enough; or production without `OPS_TOKEN`: the administration is closed.',
  invalid: 'The path is not percent-encoded UTF-8, or the query has an unknown parameter.',
  bodyTooLarge: 'The body is larger than 256 KB.',
  unavailable: 'Redis cannot be reached; send it again.',
  fault: 'An error of the service; its log has more under the request ID.',
} as const;

export function adminDocument(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of ADMIN_ROUTES) {
    paths[route.path] ??= {};
    paths[route.path]![route.method.toLowerCase()] = describeRoute(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Loyalty basket gateway: administration', version: '1', description: DESCRIPTION },
    servers: [{ url: '/', description: 'The operations listener, OPS_HOST and OPS_PORT.' }],
    tags: [{ name: 'Administration' }],
    security: [{ opsToken: [] }],
    paths,
    components: {
      schemas: { ...buildSchemas(), ...ADMIN_SCHEMAS },
      securitySchemes: { opsToken: { type: 'http', scheme: 'bearer', description: 'A token of `OPS_TOKEN`.' } },
    },
  };
}

function describeRoute(route: AdminRoute): Json {
  const { path, role, alsoFor = [], operationId, summary, description, query = {} } = route;
  const { requestSchema, answerSchema, hasCsv } = route;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter(name as string, 'path'));
  const inQuery = Object.entries(query).map(([name, words]) => parameter(name, 'query', words));
  return {
    operationId,
    tags: ['Administration'],
    summary,
    description: `${description} Role: \`${role}\`${alsoFor.map((narrow) => `, or \`${narrow}\``).join('')}.`,
    parameters: [...inPath, ...inQuery, ...headersOf(route)],
    ...(requestSchema !== undefined && { requestBody: { required: true, ...content(schemaRef(requestSchema)) } }),
    responses: {
      [String(HTTP_OK)]: { description: summary, ...content(schemaRef(answerSchema), hasCsv) },
      ...describeFailures(route),
    },
  };
}

/** A route that may fail a precondition takes `If-Match`. */
function headersOf({ failures }: AdminRoute): Json[] {
  if (failures?.preconditionFailed === undefined) return [];
  return [parameter('If-Match', 'header', 'The `ETag` of the state that is to be changed.')];
}

function describeFailures({ failures }: AdminRoute): Json {
  const words = { ...ALWAYS, ...failures };
  const schema = schemaRef('AdminError');
  const entries = Object.entries(words) as [keyof typeof OPERATIONS_STATUS, string][];
  return Object.fromEntries(
    entries.map(([kind, description]) => [String(OPERATIONS_STATUS[kind]), { description, ...content(schema) }]),
  );
}

function parameter(name: string, place: 'path' | 'query' | 'header', description?: string): Json {
  const schema = { type: 'string' };
  return { name, in: place, required: place === 'path', schema, ...(description !== undefined && { description }) };
}

function content(schema: Json, hasCsv = false): Json {
  const csv = hasCsv && { 'text/csv': { schema: { type: 'string' } } };
  return { content: { 'application/json': { schema }, ...csv } };
}
