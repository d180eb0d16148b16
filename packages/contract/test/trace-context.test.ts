/** `traceparent` as W3C Trace Context writes it; anything else is no trace. */
import { expect, test } from 'vitest';
import { parseTraceParent, renderTraceResponse } from '../src/trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

test.each([
  [`00-${TRACE}-${PARENT}-01`, true],
  [`00-${TRACE}-${PARENT}-00`, false],
  [`00-${TRACE}-${PARENT}-02`, false],
  [`00-0${TRACE.slice(1)}-0${PARENT.slice(1)}-01`, true],
  // A later version may say more.
  [`cc-${TRACE}-${PARENT}-03-what-the-future-brings`, true],
])('%s', (text, isSampled) => {
  const parent = parseTraceParent(text);
  expect(parent).toEqual({ traceId: text.slice(3, 35), parentId: text.slice(36, 52), isSampled });
  expect(parseTraceParent(renderTraceResponse(parent!, parent!.parentId))).toEqual(parent);
});

test.each([
  '',
  TRACE,
  `ff-${TRACE}-${PARENT}-01`,
  `00-${'0'.repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-1`,
  `00-${TRACE}-${PARENT}-01-more`,
  `00-${TRACE}-${PARENT}`,
  `cc-${TRACE}-${PARENT}-01more`,
  ` 00-${TRACE}-${PARENT}-01`,
])('"%s" is ignored', (text) => {
  expect(parseTraceParent(text)).toBeUndefined();
});
