import { Type } from '@loyalty/contract/schema-type';
import { anyOf, type Condition, compileNames } from './condition.ts';

/** `channels`: the basket is from a till of one of these kinds. */
export const channels: Condition<readonly string[], ReadonlySet<string>> = {
  schema: Type.Array(Type.Enum(['pos', 'mpos'])),
  label: 'channels',
  unrestricted: 'every channel',
  reason: 'other_channel',
  compile: compileNames,
  isMet: (names, { basket }) => names.has(basket.context.channel),
  words(closing, { basket }) {
    const names = anyOf(closing);
    return {
      change: `on ${names}`,
      explanation: `It runs on ${names}; this basket is from ${basket.context.channel}.`,
    };
  },
};
