/** The names under which a history is stored: it has a programme of its own, so that any number share a Redis. */
import { randomUUID } from 'node:crypto';
import { memberToken } from '../../../src/store/keys.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Use } from '../../../src/store/uses.ts';
import { counterAt } from '../../../src/store/uses.ts';
import { keyOf } from './model.ts';
import type { TimedKeys } from './time.ts';
import { type BasketStep, DAYS, MEMBERS, RULES, usageKeyOf, VENUES } from './world.ts';

const PROGRAMME = 'coffee-club';

export class Names {
  readonly ids = new Map<number, string>();
  readonly #run = randomUUID();

  get programme(): string {
    return `${PROGRAMME}-${this.#run}`;
  }

  id(calculation: number): string {
    const id = this.ids.get(calculation) ?? randomUUID();
    this.ids.set(calculation, id);
    return id;
  }

  member(member: number) {
    return memberToken(this.programme, `member-${member}`);
  }

  usesOf(step: BasketStep): (Use & { readonly key: string; readonly isMoney: boolean })[] {
    return step.wishes.map(({ rule: name, units, limit }) => {
      const rule = RULES.find((each) => each.name === name)!;
      const { of, counts } = rule;
      const use = {
        usageKey: usageKeyOf(rule, step.day),
        units,
        limit,
        key: keyOf(rule, step),
        isMoney: counts === 'money',
      };
      return of ? { ...use, of } : use;
    });
  }

  place(key: string) {
    const [owner, usageKey] = key.split(' ') as [string, string];
    const of = owner === 'all' ? ('programme' as const) : ('venue' as const);
    return { usageKey, of, counter: counterAt({ programmeId: this.programme, venueId: owner }, { usageKey, of }) };
  }

  keysOf({ keys }: Store): TimedKeys {
    const members = Array.from({ length: MEMBERS }, (_, member) => this.member(member));
    const counters = RULES.flatMap((rule) =>
      rule.of
        ? DAYS.flatMap((_, day) =>
            VENUES.map((_venue, venue) => this.place(keyOf(rule, { member: 0, venue, day })).counter),
          )
        : [],
    );
    const owners = [...members, ...new Set(counters)];
    return {
      holds: owners.map((owner) => keys.hold(owner)),
      sums: owners.flatMap((owner) => [keys.held(owner), keys.holdsDue(owner)]),
      unconfirmed: [...new Set(counters)].map((counter) => keys.unconfirmed(counter)),
      records: [...this.ids.values()].flatMap((id) => members.map((member) => keys.calculation(member, id))),
      indexes: [...this.ids.values()].map((id) => keys.index(id)),
    };
  }
}
