import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCommand } from '../../../test/support/run-command.ts';
import { buildBasket, buildLine } from './support/basket.ts';

const folder = mkdtempSync(join(tmpdir(), 'price-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'basket.json');
const context = { venueId: 'oslo-central', cashRegisterId: 'till', baxId: '500123', channel: 'pos' } as const;
const names = { lineId: '1', name: 'Filter coffee', productId: '4711', productGroupId: 'coffee' };
const basket = buildBasket([buildLine({ ...names, quantity: 3, unitPrice: 3_900 })], { context });
writeFileSync(file, JSON.stringify(basket));

const price = (...options: string[]) => runCommand(['price', ...options], {});

/** Prices what a person has written in a file. */
function priceOf(written: unknown, ...options: string[]) {
  const path = join(folder, 'written.json');
  writeFileSync(path, JSON.stringify(written));
  return price(path, ...options).then((ran) => ({ ...ran, stderr: ran.stderr.replaceAll(`${path}: `, '') }));
}

describe('npm run price', () => {
  it('prints the basket before and after, and explains every benefit when asked to', async () => {
    const { code, stdout } = await price(file, '--member', 'demo-gold', '--explain');
    expect(code).toBe(0);
    expect(stdout).toContain('applied, Coffee Club Gold');
    expect(stdout).toMatch(/Filter coffee +2 +117\.00 +78\.00 +\(part of 1\)/);
    expect(stdout).toMatch(/total +117\.00 +78\.00/);
    expect(stdout).toContain('gap: 0.00');
    expect(stdout).toMatch(/gold-order +The basket is below its minimum spend; 83\.00 more/);
    expect(stdout).toMatch(/split-1-2 +gold-third-coffee +line_discount +−39\.00/);
    expect(stdout).toMatch(/used by +units[\s\S]*split-1-1 +gold-third-coffee +2/);
  });

  it('takes what is left of a limit into account, and a clock that is off', async () => {
    const welcome = (...options: string[]) => price(file, '--member', 'demo-welcome', ...options);
    expect((await welcome()).stdout).toContain('welcome-bun:*');
    const spent = await welcome('--left', 'welcome-bun=0', '--left', 'welcome-voucher=0');
    expect(spent.stdout).toContain('unchanged (no_applicable_benefits)');
    const { stdout } = await welcome('--clock-off', '--explain');
    expect(stdout).toContain('unchanged (no_applicable_benefits)');
    expect(stdout).toMatch(/welcome-bun +It depends on the time, [^;]*; by a till whose clock is right/);
  });

  it('shows a currency with the decimals that it has, and takes a folder as the environment', async () => {
    const { members, ...rest } = parse(readFileSync('config/staging.yaml', 'utf8'));
    for (const venue of rest.venues) venue.currencies = ['KWD'];
    const config = mkdtempSync(join(folder, 'environment-'));
    writeFileSync(join(config, 'environment.yaml'), JSON.stringify(rest));
    writeFileSync(join(config, 'members.yaml'), JSON.stringify({ members }));
    const options = ['--config', config, '--member', 'demo-gold', '--explain'];
    const { stdout } = await priceOf({ ...basket, currency: 'KWD' }, ...options);
    expect(stdout).toMatch(/^total +11\.700 +7\.800$/m);
    expect(stdout).toMatch(/gold-third-coffee +line_discount +−3\.900$/m);
  });

  it.each([
    [['--member', 'nobody', '--tier', 'gold'], /total +117\.00 +78\.00/],
    [['--grant', 'test-20-percent', '--grant', 'welcome-bun'], /welcome-bun:\*/],
    [['--status', 'active'], /unchanged \(no_applicable_benefits\)/],
    [['--tier', 'gold', '--status', 'paused'], /unchanged \(member_inactive\)/],
    // The options describe the whole member: nothing of the one in the file stays.
    [['--member', 'demo-gold', '--grant', 'welcome-bun'], /^(?![\s\S]*Gold)/],
    [['--grant', 'last-winter', '--grant', 'test-20-percent', '--explain'], /test-20-percent/],
  ])('prices for a member that is in no file: %j', async (options, words) => {
    const { code, stdout } = await price(file, ...options);
    expect(code).toBe(0);
    expect(stdout).toMatch(words);
  });

  it('fills in what a short basket leaves out, and says so', async () => {
    const lines = [{ productId: '4711', quantity: 3 }];
    const { code, stdout, stderr } = await priceOf(lines, '--tier', 'gold');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Filter coffee +2 +117\.00 +78\.00 +\(part of 1\)/);
    expect(stderr).toMatch(
      /^price: filled in: lines \(lineId, name, .*unitPrice.*\), calculationId, loyaltyId, currency \(NOK\),/,
    );
    expect(stderr).toContain('context (oslo-central)');
    // Whoever says nothing of the member prices for anybody.
    expect((await priceOf(lines)).stdout).toContain('unchanged (no_applicable_benefits)');
    expect((await priceOf({ member: { tier: 'gold' }, lines })).stdout).toMatch(/total +117\.00 +78\.00/);
    const spent = await priceOf({ member: { grants: ['welcome-bun'] }, left: { 'welcome-bun': 0 }, lines });
    expect(spent.stdout).not.toContain('Cinnamon bun');
    // A till sends the amount of a percentage beside it.
    const staffed = await priceOf([{ ...lines[0], existingLineDiscountPercent: 12.5 }], '--json');
    expect(JSON.parse(staffed.stdout).basket).toMatchObject({
      lines: [{ existingLineDiscountType: 'percent', existingLineDiscountAmount: 1_463, orderLinePrice: 10_237 }],
      totals: { existingDiscountTotal: 1_463, total: 10_237 },
    });
  });

  it('prints JSON when asked to', async () => {
    const { stdout } = await price(file, '--member', 'demo-gold', '--json', '--explain');
    const { filledIn, basket, decision } = JSON.parse(stdout);
    expect([filledIn, basket.lines.length, decision.totals.total, decision.trace.gap]).toEqual([[], 1, 7_800, 0]);
    const unknown = await price(file, '--member', 'nobody', '--json');
    expect(JSON.parse(unknown.stdout)).toEqual({ status: 'member_not_found' });
    expect(unknown.stderr).toContain('describe one with --status active, --tier or --grant');
  });

  it.each([
    [
      'every error at once, and none that follows from another',
      {
        lines: [
          { quantity: -1, unitPrice: 'x' },
          { unitPrice: 5, noDiscount: 1 },
        ],
      },
      'price: /lines/0/quantity: expected more than 0, received -1\n/lines/0/unitPrice: expected an integer, received text of 1 characters\n/lines/1/noDiscount: expected type boolean, received 1\n',
    ],
    [
      'a discount that is more than the line',
      [{ productId: '4711', existingLineDiscountAmount: 9_999 }],
      'price: /lines/0/orderLinePrice: expected at least 0, received -6099\n/totals/total: expected at least 0, received -6099\n',
    ],
    [
      'a product that is not in the list',
      [{ productId: '9' }],
      'price: /lines/0/unitPrice: expected a value, received nothing: product 9 is not in the list of oslo-central\n',
    ],
    [
      'a line without a product',
      [{ productGroupId: 'coffee' }],
      'price: /lines/0/unitPrice: expected a value, received nothing\n',
    ],
  ])('reports %s', async (_about, written, stderr) => {
    expect(await priceOf(written)).toMatchObject({ code: 2, stderr });
  });

  it('says which fields of a short basket it ignores', async () => {
    const { code, stderr } = await priceOf([{ productId: '4711', quantty: 3, discount: 1 }]);
    expect(code).toBe(0);
    expect(stderr).toContain('price: ignored, because no basket has these: /lines/0/quantty, /lines/0/discount\n');
    expect((await priceOf([{ productId: '4711' }])).stderr).not.toContain('ignored');
  });

  it('says so below the first level too', async () => {
    const line = { productId: '4711', orderDiscountAllocation: [] };
    const { code, stderr } = await priceOf({ context: { venueid: 'oslo' }, totls: {}, lines: [line] });
    expect(code).toBe(0);
    expect(stderr).toContain('price: ignored, because no basket has these: /context/venueid, /totls\n');
  });

  it.each([
    [
      { member: { stat: 'active' } },
      'member: found the unknown field "stat", allowed: status, tier, memberLabel, grants',
    ],
    [{ member: { loyaltyId: 'demo-gold' } }, 'member: found the unknown field "loyaltyId", allowed: status, tier, '],
    [{ member: { tier: 7 } }, 'member.tier: found 7, allowed: a text of 1 to 256 characters'],
    [
      { member: { grants: [{ benefitId: 'welcome-bun', grantId: 'a', quantty: 1 }] } },
      'member.grants[0]: found the unknown field "quantty", allowed: benefitId, grantId, quantity, from, to',
    ],
    [{ member: 'demo-gold' }, 'member: found "demo-gold", allowed: an object'],
    [{ left: [1] }, 'left: found [1], allowed: an object'],
    [{ context: 5 }, '/context: expected type object, received 5'],
  ])('rejects %j', async (more, words) => {
    const { code, stderr } = await priceOf({ lines: [{ productId: '4711' }], ...more });
    expect(code).toBe(2);
    expect(stderr.split('\n').at(-2)).toContain(words);
  });

  it('says in one line what is wrong', async () => {
    expect(await price(file, '--member', 'nobody')).toMatchObject({ code: 1, stdout: 'member_not_found\n' });
    expect(await price()).toMatchObject({ code: 2, stderr: "price: missing required argument 'basket.json'\n" });
    expect(await price(file, '--config', 'package.json')).toMatchObject({ code: 2 });
    for (const [options, words] of [
      [['--member', 'demo-welcome', '--left', 'tea=1'], /^price: --left tea=1: benefitId=n is expected[^\n]*\n$/],
      [['--grant', 'welcome-bn'], /^price: --grant: found "welcome-bn", allowed: one of [^\n]*\n$/],
      [['--status', 'gone'], /^price: --status: found "gone", allowed: one of active[^\n]*\n$/],
    ] as const)
      expect((await price(file, ...options)).stderr).toMatch(words);
    const wrong = await priceOf({ ...basket, totals: { ...basket.totals, total: 1 } });
    expect(wrong.stderr).toContain('/totals/total');
  });
});
