import type { Judgement } from '../mutant.ts';
import { FAST_PATH, judge } from './judge.ts';

const COMPILER = 'Only the compiler needs it: the text `undefined` is neither a UUID nor an option.';

export const GATEWAY: readonly Judgement[] = [
  ...judge('src/gateway/body.ts', FAST_PATH, [['isLast && received === 0', 'false']]),
  ...judge('src/gateway/exchange.ts', FAST_PATH, [
    [
      '[ [HTTP_OK, statusLine(HTTP_OK)], ...Object.values(ERRORS).map(({ status }) => [status, statusLine(status)] as const), ]',
      '[]',
    ],
    ['[HTTP_OK, statusLine(HTTP_OK)]', '[]'],
  ]),
  ...judge('src/gateway/exchange.ts', COMPILER, [['requestId !== undefined', 'true']]),
  ...judge('src/gateway/exchange.ts', 'Only memory, which is given back later.', [
    ['isLast', 'false'],
    ['releaseLarge(bytes);', ';'],
  ]),
  ...judge('src/gateway/exchange.ts', FAST_PATH, [["typeof body === 'string'", 'true']]),
  ...judge('src/gateway/call-log.ts', 'What is not listed is not permitted either.', [
    ['{ venueId: false, isReplayed: false, isLate: false }', '{}'],
    ['{ isShed: false, isUnfinished: false, isAuthentic: false }', '{}'],
  ]),
  ...judge('src/gateway/call-log.ts', FAST_PATH, [
    ['at < text.length', 'at <= text.length'],
    ['code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c', 'true'],
    ['code < 0x20', 'code <= 0x20'],
    ['code > 0x7e', 'code >= 0x7e'],
  ]),
  ...judge('src/gateway/chunk-watch.ts', 'Nothing is as good as false.', [['{ return false; }', '{}']]),
  ...judge('src/gateway/request-head.ts', COMPILER, [
    ['connection !== undefined', 'true'],
    ['idempotencyKey === undefined', 'false'],
  ]),
  ...judge('src/gateway/server.ts', 'A clock of nanoseconds does not stand at this instant.', [
    ['performance.now() < endMs', 'performance.now() <= endMs'],
  ]),
  ...judge(
    'src/gateway/server.ts',
    'A call that is over is not answered again, and nobody reads its record any more.',
    [['call.isOver', 'false']],
  ),
  ...judge('src/gateway/public-pages.ts', FAST_PATH, [
    ['known', 'false'],
    ['this.#bytes.set(page, bytes);', ';'],
  ]),
  ...judge('src/gateway/trace.ts', 'Only the compiler needs it: the text `undefined` is no trace.', [
    ['traceparent === undefined', 'false'],
  ]),
  ...judge(
    'src/gateway/http-library.ts',
    'Both are the same with the Node of these runs; the service runs on 22 and 26.',
    [
      ['nodeMajor >= FIRST_NODE_OF_NEWER', 'false'],
      ['nodeMajor >= FIRST_NODE_OF_NEWER', 'nodeMajor > FIRST_NODE_OF_NEWER'],
    ],
  ),
];
