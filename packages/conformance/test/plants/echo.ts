/** Violations that wide values alone show: texts and numbers that come back nearly as they were sent, and calls forgotten. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, lenient, onApplied, type Plant, type Planted, withoutHeader } from '../planting-proxy.ts';

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
  return lenient((body) => ('loyaltyId' in body ? { ...body, loyaltyId: change(String(body['loyaltyId'])) } : body));
}

/** Remembers a first answer for so long, and afterwards does not call its repetition a replay. */
function forgetfulAfter(milliseconds: number): Plant {
  const firstMs = new Map<string, number>();
  return async (passing, { forward }) => {
    const key = `${passing.path} ${passing.headers['idempotency-key']}`;
    const askedMs = firstMs.get(key) ?? performance.now();
    firstMs.set(key, askedMs);
    const answer = await forward(passing);
    const isKnown = performance.now() - askedMs < milliseconds;
    return isKnown ? answer : { ...answer, headers: withoutHeader(answer.headers, 'Idempotent-Replayed') };
  };
}

export const ECHO_PLANTS: Planted = {
  'echo.texts': {
    'texts are trimmed': onTexts(NAMES, (text) => text.trim()),
    'texts are composed (NFC)': onTexts(NAMES, (text) => text.normalize('NFC')),
    'product IDs are in lower case': onTexts(['productId'], (text) => text.toLowerCase()),
    'numbers among the product IDs lose their zeros': onTexts(['productId'], (text) =>
      /^\d+$/.test(text) ? String(Number(text)) : text,
    ),
    'backslashes are unescaped twice': onTexts(['name'], (text) => text.replaceAll('\\\\', '\\')),
    'invisible characters are taken out': onTexts(['name'], (text) => text.replace(/\p{Cf}/gu, '')),
  },
  'echo.references': {
    'line IDs are trimmed in references': onTexts(['parentLineId'], (text) => text.trim()),
  },
  'echo.long-texts': {
    'names are cut at 255 characters': onTexts(['name'], (text) => text.slice(0, 255)),
    'an ID loses the last of its characters': onTexts(['ean'], (text) => [...text].slice(0, 63).join('')),
  },
  'echo.optional-fields': {
    'the master product is left out': onLines(({ productMasterId: _, ...line }) => line),
    'a group that was not sent is made up': onLines((line) => ({ productGroupId: 'other', ...line })),
    'an EAN loses its zeros': onTexts(['ean'], (text) => text.replace(/^0+/, '')),
    'the campaign of a kept discount is trimmed': onTexts(['existingLineDiscountCampaignId'], (text) => text.trim()),
  },
  'echo.numbers': {
    'quantities have three decimals': onLines((line) => ({
      ...line,
      quantity: Math.round(Number(line['quantity']) * 1000) / 1000,
    })),
    'quantities are single precision': onLines((line) => ({
      ...line,
      quantity: Math.fround(Number(line['quantity'])),
    })),
  },
  'statuses.strange-loyalty-ids': {
    'loyalty IDs are trimmed': respelled((text) => text.trim()),
    'loyalty IDs are in lower case': respelled((text) => text.toLowerCase()),
  },
  'idempotency.later': {
    'replays are forgotten after a second': forgetfulAfter(1_000),
  },
  'timings.server-timing': {
    'Server-Timing leaves out what takes long': async (passing, { forward }) => {
      const answer = await forward(passing);
      if (answer.status === 200) await sleep(200);
      return answer;
    },
  },
};
