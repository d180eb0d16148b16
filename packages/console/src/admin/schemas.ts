import { ERRORS } from '@loyalty/contract/errors';
import type { TSchema } from '@loyalty/contract/schema-type';
import { MemberEntry } from '../../../../src/programme/schema.ts';
import { LOG_LEVELS } from '../../../../src/settings/log-level.ts';
import { CommonLimit } from '../common-limit-states.ts';
import { schemaRef } from '../openapi/schemas.ts';
import { Clock, ClockMove, ClockMoved } from './clock.ts';
import * as configurations from './configuration-schemas.ts';
import { Costs } from './cost-report.ts';
import * as drafts from './draft-schemas.ts';
import * as members from './member-schemas.ts';
import { excess, Return, ReturnableSale, ReturnBooking, ReturnQuote, ReturnRequest } from './return-schemas.ts';
import { ADMIN_CODES } from './route.ts';
import { Calculation, PastCircumstances, ResolveBody, Sales } from './sale-schemas.ts';
import {
  count,
  counts,
  described,
  flag,
  instant,
  list,
  money,
  number,
  object,
  optional,
  text,
} from './schema-words.ts';
import { Vouchers } from './voucher-report.ts';

/** The schemas of the administration's requests and answers, for its OpenAPI document. */

const Explanation = object({
  configuration: text,
  programmeId: text,
  at: described(text, 'The instant whose windows and periods count.'),
  clock: optional(
    described(
      object({
        offsetSeconds: described(number, 'Above 0: the basket is ahead.'),
        isOff: described(flag, 'Outside the window: benefits that go by the clock are closed.'),
        pastHours: optional(number),
        aheadMinutes: optional(number),
        movedSeconds: optional(described(number, 'How far the clock of a test member was ahead (/admin/clock).')),
      }),
      'How far `requestedAt` is from Redis’ clock, and the configured window; left out where `at` takes its place.',
    ),
  ),
  member: optional(object({ status: text, tier: optional(text), grants: { ...MemberEntry.properties.grants } })),
  limits: list(
    object({
      benefitId: text,
      usageKey: text,
      limit: count,
      counts,
      of: optional({ enum: ['programme', 'venue'], description: 'Absent of a limit of the member’s own.' }),
      left: count,
    }),
  ),
  totalBefore: money,
  totalAfter: money,
  steps: count,
  gap: described(money, 'An estimate of the most that another combination could still save; mostly 0.'),
  changes: described(
    list(object({ lineId: text, benefitId: text, rule: text, amount: money })),
    'Every minor unit of difference; the amounts sum to `totalAfter` − `totalBefore`.',
  ),
  bought: described(
    list(object({ lineId: text, benefitId: text, units: count })),
    'Units that were bought for a benefit, which shares them with no other.',
  ),
  benefits: described(
    list(
      object({
        benefitId: text,
        applied: flag,
        saved: money,
        left: optional(described(text, 'Of its limit and its grants, after this basket.')),
        reason: optional(text),
        change: optional(text),
        instead: optional(list(text)),
      }),
    ),
    'Every benefit of the programme: what it saves, or the first reason why it does not apply, and the smallest change that would make it.',
  ),
});

const Refusal = object({
  at: instant,
  route: text,
  status: count,
  code: text,
  message: text,
  field: optional(text),
  expected: optional({}),
  received: optional({}),
  venueId: optional(text),
  calculationId: optional(text),
  requestId: text,
});

/** The schemas by the names that routes use. */
export const ADMIN_SCHEMAS: Readonly<Record<string, TSchema>> = {
  ...members,
  ...configurations,
  ...drafts,
  Calculation,
  ResolveBody,
  ReturnRequest,
  ReturnQuote,
  ReturnBooking,
  Return,
  ReturnableSale,
  LookUp: object({
    calculations: described(
      list(
        object({
          calculation: schemaRef('Calculation'),
          past: optional(
            described(
              object({
                basket: described(
                  { type: 'object' },
                  'As it was asked about, without loyalty ID, clerk and texts; of an earlier version without `cashRegisterId`.',
                ),
                response: schemaRef('BasketResponse'),
                explanation: schemaRef('Explanation'),
                texts: described({ type: 'object', additionalProperties: text }, 'The benefits’ texts of that time.'),
                isSame: described(flag, 'Status and total are those of the answer that was given.'),
                circumstances: PastCircumstances,
              }),
              'The basket, priced again by the configuration, the member and the limits of its time.',
            ),
          ),
          notExplained: optional(described(text, 'Why there is no `past`.')),
        }),
      ),
      'In order of time.',
    ),
    refusals: described(list(Refusal), 'Of the last fifty of each process, and of a request by its ID the last 1,000.'),
  }),
  FoundRequest: object({
    requestId: text,
    refusal: optional(Refusal),
    calculation: optional(schemaRef('Calculation')),
  }),
  ExplainRequest: {
    anyOf: [
      schemaRef('BasketRequest'),
      object({
        basket: schemaRef('BasketRequest'),
        draft: schemaRef('Draft'),
      }),
    ],
  },
  Explained: object({
    response: schemaRef('BasketResponse'),
    explanation: schemaRef('Explanation'),
    draft: optional(
      described(
        object({
          response: schemaRef('BasketResponse'),
          explanation: schemaRef('Explanation'),
          warnings: list(schemaRef('DraftWarning')),
        }),
        'The same basket, priced by the draft that was sent.',
      ),
    ),
  }),
  Explanation,
  Dataset: object({ dataset: described(text, 'The name of the data that every process expects from now on.') }),
  CommonLimits: object({ limits: list(CommonLimit) }),
  Costs,
  Vouchers,
  Sales,
  LogLevel: object({ level: { enum: LOG_LEVELS } }),
  ClockMove,
  ClockMoved,
  Clock,
  Clocks: object({ clocks: list(schemaRef('Clock')) }),
  Reloaded: object({ version: described(text, 'The version that every process runs now.') }),
  AdminError: object({
    error: object({
      code: { enum: [...new Set([...Object.values(ADMIN_CODES), ...Object.keys(ERRORS)])] },
      message: described(text, 'One sentence that says what is wrong and where.'),
      details: optional({
        type: 'object',
        description:
          'As in the Error body of the public interface; of a draft with faults, all of them; of a return, the lines of which too much should come back.',
        properties: {
          lines: excess,
          faults: list(schemaRef('DraftFault')),
        },
      }),
      requestId: { type: 'string', format: 'uuid' },
    }),
  }),
};
