/** What a token's role allows, and what the audit log keeps. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { configurationOf } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { memberPath } from './admin-client.ts';
import { deskOf } from './desk.ts';

const TOKENS = {
  vendor: 'token-of-a-vendor',
  pos: 'token-of-the-till',
  read: 'token-of-the-support-desk',
  write: 'token-of-the-back-office',
  admin: 'token-of-the-operators',
};
const OPS_TOKEN = `till:vendor:${TOKENS.vendor},shop:pos:${TOKENS.pos},desk:read:${TOKENS.read},office:write:${TOKENS.write},ops:admin:${TOKENS.admin}`;
const stage = useService({ configuration: configurationOf({ testMembers: ['member-plain'] }), env: { OPS_TOKEN } });

const { call: send } = deskOf(stage);

type Role = Exclude<keyof typeof TOKENS, 'vendor' | 'pos'>;
const ranks = (role: string) => Object.keys(TOKENS).indexOf(role);
const path = memberPath('member-of-roles');

const calls: [call: string, least: Role, body?: unknown][] = [
  [`PUT ${path}`, 'write', { status: 'active' }],
  [`GET ${path}`, 'read'],
  [`GET /admin/calculations/${randomUUID()}`, 'read'],
  ['POST /admin/explain', 'read', basketOf([{}], { loyaltyId: 'member-of-roles' })],
  ['GET /admin/configuration', 'read'],
  ['POST /admin/configuration/reload', 'admin'],
  ['POST /admin/data/accept', 'admin'],
  ['GET /admin/log-level', 'read'],
  ['PUT /admin/log-level', 'admin', { level: 'info' }],
  ['POST /admin/clock', 'write', { programmeId: 'coffee-club', loyaltyId: 'member-plain', aheadSeconds: 1 }],
  ['GET /admin/clock', 'read'],
  ['DELETE /admin/clock?programmeId=coffee-club&loyaltyId=member-plain', 'write'],
  [`GET /admin/requests/${randomUUID()}`, 'read'],
  ['GET /admin/vouchers', 'read'],
  ['GET /admin/returns?transactionId=x', 'read'],
  ['POST /admin/returns/quote', 'write', {}],
  ['POST /admin/returns', 'write', {}],
  [`DELETE ${path}`, 'admin'],
];

/** All that a vendor, and a till, may do. */
const NARROW = { vendor: /\/admin\/(?:clock|requests)/, pos: /\/admin\/(?:returns|requests)/ };

test.each(calls)('%s needs the role %s, or is for vendors or tills', async (call, least, body) => {
  for (const [role, token] of Object.entries(TOKENS)) {
    const reply = await send(call, body, { token });
    const isAllowed = role in NARROW ? NARROW[role as keyof typeof NARROW].test(call) : ranks(role) >= ranks(least);
    expect([role, reply.status === 403]).toEqual([role, !isAllowed]);
    if (!isAllowed) {
      const words = new RegExp(`^This needs a token of the role ${least}; the one of \\w+ has ${role}\\.$`);
      expect(reply.body.error).toMatchObject({ code: 'forbidden', message: expect.stringMatching(words) });
    }
  }
});

test('every read and write of a member is in the audit log, with the name of the token and without the loyalty ID', async () => {
  const own = memberPath('member-of-the-audit');
  const explained = basketOf([{}], { loyaltyId: 'member-of-the-audit' });
  const asked: [call: string, token: string, line: object, body?: unknown][] = [
    [
      `PUT ${own}`,
      TOKENS.write,
      { who: 'office', role: 'write', action: 'write member', status: 'active', httpStatus: 200 },
      { status: 'active' },
    ],
    [`GET ${own}`, TOKENS.read, { who: 'desk', role: 'read', action: 'read member', httpStatus: 200 }],
    [
      'POST /admin/explain',
      TOKENS.read,
      { who: 'desk', action: 'explain', calculationId: explained.calculationId },
      explained,
    ],
    [
      `DELETE ${own}`,
      TOKENS.read,
      { who: 'desk', level: 'warn', msg: 'administration refused', action: 'erase member' },
    ],
    [`DELETE ${own}`, TOKENS.admin, { who: 'ops', action: 'erase member', erased: { member: true, calculations: 0 } }],
    [`GET ${own}`, TOKENS.read, { who: 'desk', action: 'read member', httpStatus: 404 }],
  ];
  const members = new Set<unknown>();
  for (const [call, token, words, body] of asked) {
    const requestId = randomUUID();
    await send(call, body, { token, requestId });
    const line = await until(`the line of ${call}`, () =>
      stage.service.log.find((entry) => entry.requestId === requestId),
    );
    expect(line).toMatchObject(words);
    if (line.msg === 'administration') members.add(line.member);
  }
  expect(members.size).toBe(1);
  const output = stage.service.output.join('\n');
  for (const secret of ['member-of-the-audit', ...Object.values(TOKENS)]) expect(output).not.toContain(secret);
});

test('a member is replaced only as it was read', async () => {
  const own = memberPath('member-of-two-desks');
  const write = (tier: string, ifMatch: string | null) =>
    send(`PUT ${own}`, { status: 'active', tier }, { token: TOKENS.write, ifMatch });
  expect((await write('none', '*')).status).toBe(412);
  const made = await write('silver', null);
  const tag = made.headers.get('ETag');
  expect(tag).toMatch(/^"[\w-]+"$/);
  const read = await send(`GET ${own}`, undefined, { token: TOKENS.read });
  expect(read.headers.get('ETag')).toBe(tag);

  const replaced = await write('gold', tag);
  expect([replaced.status, replaced.body.tier]).toEqual([200, 'gold']);
  const late = await write('bronze', tag);
  expect([late.status, late.body.error.code]).toEqual([412, 'precondition_failed']);
  expect((await write('bronze', `W/${replaced.headers.get('ETag')}`)).status).toBe(412);
  expect((await send(`GET ${own}`, undefined, { token: TOKENS.read })).body.tier).toBe('gold');
  expect((await write('bronze', `"another", ${replaced.headers.get('ETag')}`)).status).toBe(200);
});

test.each([
  ['GET /admin/configuration?verbose=1', 'unknown parameter "verbose", allowed: none'],
  ['POST /admin/explain?At=now', 'unknown parameter "At", allowed: at'],
  ['POST /admin/explain?at=2026-11-21T12:00:00Z&at=2026-11-22T12:00:00Z', 'more than once'],
])('%s is refused', async (call, words) => {
  const reply = await send(call, call.startsWith('POST') ? basketOf() : undefined, { token: TOKENS.read });
  expect([reply.status, reply.body.error.message]).toEqual([400, expect.stringContaining(words)]);
});
