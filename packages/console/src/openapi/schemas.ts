import * as requests from '@loyalty/contract/basket-request';
import * as answers from '@loyalty/contract/basket-response';
import { ERRORS } from '@loyalty/contract/errors';
import { SaleEvent } from '@loyalty/contract/sale';
import * as scalars from '@loyalty/contract/scalars';
import { FIELD_DESCRIPTIONS, SCHEMA_DESCRIPTIONS } from './descriptions.ts';

/**
 * The document's schemas, made from the objects that the service validates with. Our own formats and keywords are
 * replaced by standard ones; references to named parts and descriptions are added.
 */

export type Json = { readonly [name: string]: unknown };

const UUID_PATTERN = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

const CONTRACT: Json = { ...requests, ...answers, SaleEvent, ...scalars };

/** Named parts, in the order of their descriptions. An equal part inside another schema becomes a reference. */
const NAMED = Object.keys(SCHEMA_DESCRIPTIONS).map((name) => [name, CONTRACT[name] as Json] as const);

/** Fields whose type is named although another type has the same bounds: the two are no more alike than two integers. */
const TYPE_OF_FIELD: Readonly<Record<string, string>> = { transactionId: 'TransactionId' };

const NAME_OF_TEXT = new Map(
  NAMED.filter(([name]) => !Object.values(TYPE_OF_FIELD).includes(name)).map(([name, schema]) => [
    JSON.stringify(schema),
    name,
  ]),
);

/** Returns a reference to `#/components/schemas/<name>`. */
export function schemaRef(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** Builds every schema of the document, by name. */
export function buildSchemas(): Record<string, Json> {
  const schemas = Object.fromEntries(
    NAMED.map(([name, schema]) => [name, { description: SCHEMA_DESCRIPTIONS[name], ...convert(schema, name) }]),
  );
  return { ...schemas, SaleEvent: withSaleRules(schemas['SaleEvent'] as Json), ...buildOwnSchemas() };
}

/**
 * Fields of answers whose values may grow (interface, section 9). The document lists the known ones and leaves room for
 * others, so that a generated client takes an answer of tomorrow.
 */
const GROWING_FIELDS: readonly string[] = ['reason'];

function openUp(field: string, schema: Json): Json {
  return GROWING_FIELDS.includes(field) ? { anyOf: [schema, { type: 'string' }] } : schema;
}

/** Converts a schema. `owner` is the named schema being converted, which must not become a reference to itself. */
function convert(schema: Json, owner: string | undefined): Json {
  const name = NAME_OF_TEXT.get(JSON.stringify(schema));
  const isOwnType = owner !== undefined && Object.values(TYPE_OF_FIELD).includes(owner);
  if (name !== undefined && name !== owner && !isOwnType) return schemaRef(name);
  const converted: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema))
    Object.assign(converted, convertKeyword(keyword, value, owner));
  // Generators make a type of an enum only when it says which.
  const isList = 'enum' in converted && !('type' in converted);
  return isList ? { type: 'string', ...converted } : converted;
}

function convertKeyword(keyword: string, value: unknown, owner: string | undefined): Json {
  if (keyword === 'format' && value === 'lower-case-uuid') return { format: 'uuid', pattern: UUID_PATTERN };
  if (keyword === 'format' && value === 'rfc3339') return { format: 'date-time' };
  // The interface says `multipleOf: 0.01`, which binary floating point gets wrong (1.15 / 0.01).
  if (keyword === 'hundredths') return { 'x-maximum-decimals': 2 };
  // A caller must ignore unknown fields (interface, section 9), so the document leaves the answers open.
  if (keyword === 'additionalProperties') return {};
  if (keyword === 'items') return { items: convert(value as Json, undefined) };
  if (keyword === 'properties') return { properties: convertProperties(value as Record<string, Json>, owner) };
  return { [keyword]: value };
}

function convertProperties(properties: Readonly<Record<string, Json>>, owner: string | undefined): Json {
  const descriptions = { ...(owner === 'BasketLineOut' && FIELD_DESCRIPTIONS['BasketLine']) };
  Object.assign(descriptions, owner === undefined ? {} : FIELD_DESCRIPTIONS[owner]);
  const entries = Object.entries(properties).map(([name, schema]) => {
    const description = descriptions[name];
    const typeName = TYPE_OF_FIELD[name];
    const converted = typeName === undefined ? openUp(name, convert(schema, undefined)) : schemaRef(typeName);
    return [name, description === undefined ? converted : { ...converted, description }] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Adds the rules for the fields that each status of an event requires (docs/decisions.md). The service checks them
 * outside the schema.
 */
function withSaleRules(schema: Json): Json {
  const statusIs = (status: string): Json => ({
    properties: { status: { type: 'string', const: status } },
    required: ['status'],
  });
  return {
    ...schema,
    allOf: [
      { if: statusIs('cancelled'), else: { required: ['transactionId'] } },
      {
        if: statusIs('failed'),
        // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word; nothing awaits this object.
        then: { required: ['failureReason'] },
        else: { not: { required: ['failureReason'] } },
      },
    ],
  };
}

/** Builds the schemas of messages that the service only sends and therefore does not validate. */
function buildOwnSchemas(): Record<string, Json> {
  const statuses = {
    applied: 'AppliedResponse',
    unchanged: 'UnchangedResponse',
    member_not_found: 'MemberNotFoundResponse',
  };
  const mapping = Object.entries(statuses).map(([status, name]) => [status, schemaRef(name)['$ref']]);
  const error = {
    type: 'object',
    required: ['code', 'message', 'requestId'],
    properties: {
      code: { description: 'Stable.', type: 'string', enum: Object.keys(ERRORS) },
      message: { description: 'For logs only; shown to no one.', type: 'string' },
      details: {
        description:
          '`field` is a JSON Pointer into the body or the name of a header; `expected` and `received` say what was due there and what came.',
        type: 'object',
        properties: {
          field: { type: 'string' },
          expected: { type: ['string', 'number'] },
          received: { type: ['string', 'number'] },
        },
      },
      requestId: { description: 'The same as X-Request-Id.', type: 'string', format: 'uuid' },
      docUrl: {
        description: 'Where this error is described, for people. Present when the operator has published the page.',
        type: 'string',
        pattern: '^https?://',
      },
    },
  };
  return {
    BasketResponse: {
      description: 'One of three, told apart by `status`. Fields that are not known must be ignored.',
      oneOf: Object.values(statuses).map(schemaRef),
      discriminator: { propertyName: 'status', mapping: Object.fromEntries(mapping) },
    },
    SaleAnswer: {
      description: 'All three results are final.',
      type: 'object',
      required: ['result'],
      properties: {
        result: {
          description:
            '`recorded`: the first event of this calculation. `duplicate`: the same event again. `unknown_calculation`: the service has not seen this calculation; the event is kept.',
          type: 'string',
          enum: ['recorded', 'duplicate', 'unknown_calculation'],
        },
      },
    },
    Error: {
      description: 'The body of every answer that is not 200.',
      type: 'object',
      required: ['error'],
      properties: { error },
    },
  };
}
