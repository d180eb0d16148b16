import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Talk, Theme } from '../talk.ts';

interface Draft {
  venues: { venueId: string }[];
  programmes: { benefits: { benefitId: string; percent: number; limit?: { quantity: number } }[] }[];
  members: { status: string }[];
  requestedAt?: object;
}

/** Puts a changed configuration in force; without a change, the one that the service was started with. */
async function reload(talk: Talk, change: (draft: Draft) => void = () => undefined): Promise<void> {
  const draft = structuredClone(talk.stage.configuration) as unknown as Draft;
  change(draft);
  await reloadText(talk, JSON.stringify(draft));
}

async function reloadText(talk: Talk, text: string): Promise<void> {
  writeFileSync(join(talk.stage.service.dataDirectory, 'environment.yaml'), text);
  await talk.reload();
}

function benefit(draft: Draft, benefitId: string) {
  return draft.programmes[0]!.benefits.find((one) => one.benefitId === benefitId)!;
}

/** The configuration changes between two calls. Each conversation begins with the one of the start. */
export const RELOAD: Theme = {
  'another percentage, and replays of the one before': async (talk) => {
    await reload(talk);
    await talk.member('anna', ['twenty']);
    await talk.ring('first', 'anna');
    await reload(talk, (draft) => {
      benefit(draft, 'twenty').percent = 30;
    });
    await talk.ring('first', 'anna');
    await talk.ring('second', 'anna');
    await talk.sell('first');
  },
  'a limit that is raised, and a benefit that goes while it is held': async (talk) => {
    await reload(talk);
    await talk.member('anna', ['once', 'twice']);
    await talk.ring('1', 'anna');
    await reload(talk, (draft) => {
      benefit(draft, 'once').limit!.quantity = 3;
    });
    await talk.ring('2', 'anna');
    await talk.ring('3', 'anna');
    await reload(talk, (draft) => {
      const { benefits } = draft.programmes[0]!;
      draft.programmes[0]!.benefits = benefits.filter(({ benefitId }) => benefitId !== 'once');
    });
    await talk.ring('4', 'anna');
    for (const label of ['1', '2', '3', '4']) await talk.sell(label);
  },
  'a venue that is gone, and a member who is blocked': async (talk) => {
    await reload(talk);
    talk.members.set('filed', { programmeId: 'club', loyaltyId: 'of-the-file' });
    await talk.ring('first', 'filed');
    await reload(talk, (draft) => {
      draft.venues = draft.venues.filter(({ venueId }) => venueId !== 'bergen');
      draft.members[0]!.status = 'blocked';
    });
    await talk.ring('second', 'filed');
    await talk.ring('bergen', 'filed', [{}], {
      context: { venueId: 'bergen', baxId: '600200', cashRegisterId: '1', channel: 'pos' },
    });
    await talk.sell('first');
  },
  'a file with an error changes nothing': async (talk) => {
    await reload(talk);
    await talk.member('anna', ['twenty']);
    await reload(talk, (draft) => {
      benefit(draft, 'twenty').percent = 101;
    });
    await reloadText(talk, 'environment: [');
    await talk.ring('first', 'anna');
  },
  'a window of time, and baskets outside of it': async (talk) => {
    await reload(talk, (draft) => {
      draft.requestedAt = { pastHours: 2, aheadMinutes: 10 };
    });
    await talk.member('anna', ['once', 'happy-hour', 'twelve-half']);
    await talk.ring('past', 'anna');
    await talk.ring('future', 'anna', [{}], { requestedAt: '2099-01-01T12:00:00Z' });
    await talk.sell('past');
    await reload(talk);
    await talk.ring('now', 'anna');
  },
};
