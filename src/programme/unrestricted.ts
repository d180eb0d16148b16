/** Fields of a window (`when`) that restrict nothing where they are absent or an empty list, and whom or when the benefit is for then. */
export const UNRESTRICTED = {
  weekdays: 'every day',
  hours: 'the whole day',
  channels: 'every channel',
  venueIds: 'every venue',
  tiers: 'every member',
  share: 'every member',
} as const;
