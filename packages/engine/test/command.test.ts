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
const lines = [
  buildLine({
    lineId: '1',
    name: 'Filter coffee',
    productId: '4711',
    productGroupId: 'coffee',
    quantity: 3,
    unitPrice: 3_900,
  }),
];
writeFileSync(file, JSON.stringify(buildBasket(lines, { context })));

function price(...options: string[]) {
  return runCommand(['price', ...options], {});
}

describe('npm run price', () => {
  it('prints the basket before and after', async () => {
    const { code, stdout } = await price(file, '--member', 'demo-gold');
    expect(code).toBe(0);
    expect(stdout).toContain('applied, Coffee Club Gold');
    expect(stdout).toMatch(/Filter coffee +2 +117\.00 +78\.00 +\(part of 1\)/);
    expect(stdout).toMatch(/total +117\.00 +78\.00/);
  });

  it('explains every benefit when asked to', async () => {
    const { stdout } = await price(file, '--member', 'demo-gold', '--explain');
    expect(stdout).toContain('gap: 0.00');
    expect(stdout).toMatch(/gold-order +The basket is below its minimum spend; 83\.00 more/);
    expect(stdout).toMatch(/split-1-2 +gold-third-coffee +line_discount +−39\.00/);
    expect(stdout).toMatch(/used by +units[\s\S]*split-1-1 +gold-third-coffee +2/);
  });

  it('takes what is left of a limit into account', async () => {
    expect((await price(file, '--member', 'demo-welcome')).stdout).toContain('welcome-bun:*');
    const { stdout } = await price(
      file,
      '--member',
      'demo-welcome',
      '--left',
      'welcome-bun=0',
      '--left',
      'welcome-voucher=0',
    );
    expect(stdout).toContain('unchanged (no_applicable_benefits)');
  });

  it('prices as a call outside the window when asked to', async () => {
    expect((await price(file, '--member', 'demo-welcome')).stdout).toContain('welcome-bun:*');
    const { stdout } = await price(file, '--member', 'demo-welcome', '--clock-off', '--explain');
    expect(stdout).toContain('unchanged (no_applicable_benefits)');
    expect(stdout).toMatch(/welcome-bun +It depends on the time, [^;]*; by a till whose clock is right/);
  });

  it.each([
    ['JPY', '11700', '7800', '3900'],
    ['NOK', '117.00', '78.00', '39.00'],
    ['KWD', '11.700', '7.800', '3.900'],
  ])('shows %s with the decimals it has', async (currency, before, after, saved) => {
    const configuration = parse(readFileSync('config/staging.yaml', 'utf8'));
    for (const venue of configuration.venues) venue.currencies = [currency];
    const [config, foreign] = [join(folder, `${currency}.yaml`), join(folder, `${currency}.json`)];
    writeFileSync(config, JSON.stringify(configuration));
    writeFileSync(foreign, JSON.stringify(buildBasket(lines, { context, currency })));
    const { stdout } = await price(foreign, '--config', config, '--member', 'demo-gold', '--explain');
    expect(stdout).toMatch(new RegExp(`^total +${before} +${after}$`, 'm'));
    expect(stdout).toMatch(new RegExp(`gold-third-coffee +line_discount +−${saved}$`, 'm'));
  });

  it('prices for a member that is in no file', async () => {
    const { code, stdout } = await price(file, '--member', 'nobody', '--tier', 'gold');
    expect(code).toBe(0);
    expect(stdout).toMatch(/total +117\.00 +78\.00/);
    expect((await price(file, '--grant', 'test-20-percent', '--grant', 'welcome-bun')).stdout).toContain(
      'welcome-bun:*',
    );
    expect((await price(file, '--status', 'active')).stdout).toContain('unchanged (no_applicable_benefits)');
    expect((await price(file, '--tier', 'gold', '--status', 'paused')).stdout).toContain('unchanged (member_inactive)');
    // The options describe the whole member: nothing of the one in the file stays.
    expect((await price(file, '--member', 'demo-gold', '--grant', 'welcome-bun')).stdout).not.toContain('Gold');
    expect(await price(file, '--grant', 'welcome-bn')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^price: --grant: found "welcome-bn", allowed: one of [^\n]*\n$/),
    });
    const ended = await price(file, '--grant', 'last-winter', '--grant', 'test-20-percent', '--explain');
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('has no benefit last-winter') });
    expect(ended.stdout).toContain('test-20-percent');
    expect((await price(file, '--status', 'gone')).stderr).toMatch(
      /^price: --status: found "gone", allowed: one of active/,
    );
  });

  it('fills in what a short basket leaves out, and says so', async () => {
    const short = join(folder, 'short.json');
    writeFileSync(short, JSON.stringify([{ productId: '4711', quantity: 3 }]));
    const { code, stdout, stderr } = await price(short, '--tier', 'gold');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Filter coffee +2 +117\.00 +78\.00 +\(part of 1\)/);
    expect(stderr).toMatch(
      /^price: filled in: lines \(lineId, name, .*unitPrice.*\), calculationId, loyaltyId, currency \(NOK\),/,
    );
    expect(stderr).toContain('context (oslo-central)');
    // Whoever says nothing of the member prices for anybody.
    expect((await price(short)).stdout).toContain('unchanged (no_applicable_benefits)');
    const told = { member: { tier: 'gold' }, lines: [{ productId: '4711', quantity: 3 }] };
    writeFileSync(short, JSON.stringify(told));
    expect((await price(short)).stdout).toMatch(/total +117\.00 +78\.00/);
    writeFileSync(short, JSON.stringify({ ...told, member: { grants: ['welcome-bun'] }, left: { 'welcome-bun': 0 } }));
    expect((await price(short)).stdout).not.toContain('Cinnamon bun');
    // A till sends the amount of a percentage beside it.
    writeFileSync(short, JSON.stringify([{ productId: '4711', quantity: 3, existingLineDiscountPercent: 12.5 }]));
    const { basket } = JSON.parse((await price(short, '--json')).stdout);
    expect(basket).toMatchObject({
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

  it('reports every error of a basket at once, and none that follows from another', async () => {
    const wrong = join(folder, 'several.json');
    writeFileSync(
      wrong,
      JSON.stringify({
        lines: [
          { quantity: -1, unitPrice: 'x' },
          { unitPrice: 5, noDiscount: 1 },
        ],
      }),
    );
    const { code, stderr } = await price(wrong);
    expect(code).toBe(2);
    expect(stderr.replaceAll(`${wrong}: `, '').trimEnd().split('\n')).toEqual([
      'price: /lines/0/quantity: expected more than 0, received -1',
      '/lines/0/unitPrice: expected an integer, received text of 1 characters',
      '/lines/1/noDiscount: expected type boolean, received 1',
    ]);
  });

  it('leads on from a short basket that is not what was meant', async () => {
    const short = join(folder, 'meant.json');
    const priceOf = async (line: object) => {
      writeFileSync(short, JSON.stringify([line]));
      const { code, stderr } = await price(short);
      return [code, stderr.replaceAll(`${short}: `, '')];
    };
    expect(await priceOf({ productId: '4711', existingLineDiscountAmount: 9_999 })).toEqual([
      2,
      'price: /lines/0/orderLinePrice: expected at least 0, received -6099\n/totals/total: expected at least 0, received -6099\n',
    ]);
    expect(await priceOf({ productId: '9' })).toEqual([
      2,
      'price: /lines/0/unitPrice: expected a value, received nothing: product 9 is not in the list of oslo-central\n',
    ]);
    expect((await priceOf({ productId: '4711', existingLineDiscountPercent: 'half' }))[1]).toContain(
      '/lines/0/existingLineDiscountPercent: expected',
    );
    expect(await priceOf({ productGroupId: 'coffee' })).toEqual([
      2,
      'price: /lines/0/unitPrice: expected a value, received nothing\n',
    ]);
    const mistyped = await priceOf({ productId: '4711', quantty: 3, discount: 1 });
    expect(mistyped[0]).toBe(0);
    expect(mistyped[1]).toContain('price: ignored, because no basket has these: /lines/0/quantty, /lines/0/discount\n');
    expect((await priceOf({ productId: '4711' }))[1]).not.toContain('ignored');
  });

  it('takes a folder as the environment', async () => {
    const config = mkdtempSync(join(folder, 'environment-'));
    const { members, ...rest } = parse(readFileSync('config/staging.yaml', 'utf8'));
    writeFileSync(join(config, 'environment.yaml'), JSON.stringify(rest));
    writeFileSync(join(config, 'members.yaml'), JSON.stringify({ members }));
    expect((await price(file, '--config', config, '--member', 'demo-gold')).stdout).toMatch(/total +117\.00 +78\.00/);
  });

  it('says in one line what is wrong', async () => {
    expect(await price(file, '--member', 'nobody')).toMatchObject({ code: 1, stdout: 'member_not_found\n' });
    expect((await price(file, '--member', 'demo-welcome', '--left', 'tea=1')).stderr).toMatch(
      /^price: --left tea=1: benefitId=n is expected[^\n]*\n$/,
    );
    expect(await price()).toMatchObject({ code: 2, stderr: "price: missing required argument 'basket.json'\n" });
    expect(await price(file, '--config', 'package.json')).toMatchObject({ code: 2 });
    const wrong = join(folder, 'wrong.json');
    const basket = buildBasket(lines, { context });
    writeFileSync(wrong, JSON.stringify({ ...basket, totals: { ...basket.totals, total: 1 } }));
    expect((await price(wrong)).stderr).toContain('/totals/total');
  });
});
