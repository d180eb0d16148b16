import { CONDITION_NAMES, CONDITIONS } from '@loyalty/engine/conditions/register';

/** Fields of a window (`when`) that restrict nothing where they are absent or an empty list, and whom or when the benefit is for then. */
export const UNRESTRICTED: Readonly<Record<string, string>> = {
  weekdays: 'every day',
  hours: 'the whole day',
  ...Object.fromEntries(CONDITION_NAMES.map((name) => [name, CONDITIONS[name].unrestricted])),
};
