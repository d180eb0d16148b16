/** Violations that wide values alone show: texts and numbers that come back nearly as they were sent, and calls forgotten. */
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyOf, type Json, type Outgoing, onApplied, type Plant, withBody } from '../planting-proxy.ts';
import type { Planted } from './answers.ts';

/** Changes every line of an `applied` answer. */
function onLines(change: (line: Json) => Json): Plant {
  return onApplied((body) => ({ ...body, lines: (body['lines'] as Json[]).map((line) => change(line)) }));
}

/** Changes the texts of these fields, where they are sent. */
function onTexts(names: readonly string[], change: (text: string) => unknown): Plant {
  const changed = (line: Json, name: string) => {
    const text = line[name];
    return typeof text === 'string' ? [[name, change(text)]] : [];
  };
  return onLines((line) => ({ ...line, ...Object.fromEntries(names.flatMap((name) => changed(line, name))) }));
}

const NAMES = ['name', 'productId', 'productGroupId', 'productMasterId'];

/** Forwards each loyalty ID in another spelling. */
function respelled(change: (loyaltyId: string) => string): Plant {
  return (passing, tools) => {
    const body = bodyOf(passing);
    const { loyaltyId } = body;
    if (typeof loyaltyId !== 'string') return tools.forward(passing);
    return tools.forward(withBody(passing, tools, { ...body, loyaltyId: change(loyaltyId) }));
  };
}

/** Remembers a first answer for so long, and afterwards does not call its repetition a replay. */
function forgetfulAfter(milliseconds: number): Plant {
  const firstMs = new Map<string, number>();
  return async (passing, { forward }) => {
    const key = `${passing.path} ${passing.headers['idempotency-key']}`;
    const askedMs = firstMs.get(key) ?? performance.now();
    firstMs.set(key, askedMs);
    const answer = await forward(passing);
    return performance.now() - askedMs < milliseconds ? answer : withoutReplay(answer);
  };
}

function withoutReplay(answer: Outgoing): Outgoing {
  return { ...answer, headers: answer.headers.filter(([name]) => name !== 'Idempotent-Replayed') };
}

export const ECHO_PLANTS: readonly Planted[] = [
  ['texts are trimmed', 'echo.texts', onTexts(NAMES, (text) => text.trim())],
  ['texts are composed (NFC)', 'echo.texts', onTexts(NAMES, (text) => text.normalize('NFC'))],
  ['product IDs are in lower case', 'echo.texts', onTexts(['productId'], (text) => text.toLowerCase())],
  [
    'numbers among the product IDs lose their zeros',
    'echo.texts',
    onTexts(['productId'], (text) => (/^\d+$/.test(text) ? String(Number(text)) : text)),
  ],
  ['backslashes are unescaped twice', 'echo.texts', onTexts(['name'], (text) => text.replaceAll('\\\\', '\\'))],
  ['invisible characters are taken out', 'echo.texts', onTexts(['name'], (text) => text.replace(/\p{Cf}/gu, ''))],
  ['line IDs are trimmed in references', 'echo.references', onTexts(['parentLineId'], (text) => text.trim())],
  ['names are cut at 255 characters', 'echo.long-texts', onTexts(['name'], (text) => text.slice(0, 255))],
  [
    'an ID loses the last of its characters',
    'echo.long-texts',
    onTexts(['ean'], (text) => [...text].slice(0, 63).join('')),
  ],
  ['the master product is left out', 'echo.optional-fields', onLines(({ productMasterId: _, ...line }) => line)],
  [
    'a group that was not sent is made up',
    'echo.optional-fields',
    onLines((line) => ({ productGroupId: 'other', ...line })),
  ],
  ['an EAN loses its zeros', 'echo.optional-fields', onTexts(['ean'], (text) => text.replace(/^0+/, ''))],
  [
    'the campaign of a kept discount is trimmed',
    'echo.optional-fields',
    onTexts(['existingLineDiscountCampaignId'], (text) => text.trim()),
  ],
  [
    'quantities have three decimals',
    'echo.numbers',
    onLines((line) => ({ ...line, quantity: Math.round(Number(line['quantity']) * 1000) / 1000 })),
  ],
  [
    'quantities are single precision',
    'echo.numbers',
    onLines((line) => ({ ...line, quantity: Math.fround(Number(line['quantity'])) })),
  ],
  ['loyalty IDs are trimmed', 'statuses.strange-loyalty-ids', respelled((text) => text.trim())],
  ['loyalty IDs are in lower case', 'statuses.strange-loyalty-ids', respelled((text) => text.toLowerCase())],
  ['replays are forgotten after a second', 'idempotency.later', forgetfulAfter(1_000)],
  [
    'Server-Timing leaves out what takes long',
    'timings.server-timing',
    async (passing, { forward }) => {
      const answer = await forward(passing);
      if (answer.status === 200) await sleep(200);
      return answer;
    },
  ],
];
