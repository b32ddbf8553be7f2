import fc from 'fast-check';
import { LIFECYCLE_MODEL as MODEL } from '../../test/support/interns/lifecycle-model.js';
import {
  firstStatus,
  INTERN_STATUSES,
  outcomeOf,
  REPORTS,
  REQUESTS,
  TRANSITIONS,
  type InternEvent,
  type InternStatus,
} from './lifecycle.js';

const EVENTS: readonly InternEvent[] = [...REQUESTS, ...REPORTS];
const pairs = INTERN_STATUSES.flatMap((status) => EVENTS.map((event) => [status, event] as const));

describe('the transitions of an intern (docs/api-rules.md, section 10)', () => {
  it.each(pairs)('from %s on %s match the table, or are refused if the table has no entry', (status, event) => {
    expect(outcomeOf(status, event)).toBe(MODEL[`${status} ${event}`] ?? 'refused');
  });

  it('contain each pair of status and event at most once', () => {
    const named = TRANSITIONS.flatMap(({ from, event }) => from.map((status) => `${status} ${event}`));
    expect(named.toSorted()).toEqual([...new Set(named)].toSorted());
    expect(named.toSorted()).toEqual(Object.keys(MODEL).toSorted());
  });

  it('start with queued, stopped or awaiting_chat_install', () => {
    expect([
      firstStatus(true, true),
      firstStatus(true, false),
      firstStatus(false, false),
      firstStatus(false, true),
    ]).toEqual(['queued', 'queued', 'stopped', 'awaiting_chat_install']);
  });

  it('lead only to the eight statuses or to `gone`, in 10,000 random sequences of events', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.boolean(),
        fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }),
        (provision, chat, events) => {
          let status: InternStatus | 'gone' = firstStatus(provision, chat);
          for (const event of events) {
            if (status === 'gone') return;
            const outcome = outcomeOf(status, event);
            expect(outcome).toBe(MODEL[`${status} ${event}`] ?? 'refused');
            if (outcome !== 'same' && outcome !== 'refused') status = outcome;
            expect([...INTERN_STATUSES, 'gone']).toContain(status);
          }
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
