import fc from 'fast-check';
import { firstStatus, INTERN_STATUSES, outcomeOf, REPORTS, REQUESTS, TRANSITIONS, type InternEvent, type InternStatus } from './lifecycle.js';

/** wire-notes section 10, written down a second time, as an independent hand would: pair → result. */
const MODEL: Record<string, string> = {
  'awaiting_chat_install provision': 'queued', 'stopped provision': 'queued', 'failed provision': 'queued',
  'queued provision': 'same', 'provisioning provision': 'same', 'running provision': 'same',
  'running suspend': 'stopped', 'stopped suspend': 'same',
  'awaiting_chat_install delete': 'destroying', 'queued delete': 'destroying', 'provisioning delete': 'destroying', 'running delete': 'destroying',
  'failed delete': 'destroying', 'stopped delete': 'destroying', 'destroy_failed delete': 'destroying', 'destroying delete': 'same',
  'awaiting_chat_install update': 'same', 'queued update': 'same', 'provisioning update': 'same', 'running update': 'same', 'failed update': 'same', 'stopped update': 'same',
  'queued taken': 'provisioning', 'provisioning booted': 'running', 'provisioning boot-failed': 'failed', 'queued expired': 'failed', 'provisioning expired': 'failed',
  'destroying expired': 'destroy_failed', 'running ended': 'failed', 'destroying torn-down': 'gone', 'destroying teardown-failed': 'destroy_failed',
};

const EVENTS: readonly InternEvent[] = [...REQUESTS, ...REPORTS];
const pairs = INTERN_STATUSES.flatMap((status) => EVENTS.map((event) => [status, event] as const));

describe('the transitions of an intern (wire-notes section 10)', () => {
  it.each(pairs)('%s, %s: as the table says, and refused where it says nothing', (status, event) => {
    expect(outcomeOf(status, event)).toBe(MODEL[`${status} ${event}`] ?? 'refused');
  });

  it('names no pair twice', () => {
    const named = TRANSITIONS.flatMap(({ from, event }) => from.map((status) => `${status} ${event}`));
    expect(named.toSorted()).toEqual([...new Set(named)].toSorted());
    expect(named.toSorted()).toEqual(Object.keys(MODEL).toSorted());
  });

  it('begins queued, stopped, or waiting for the chat product', () => {
    expect([firstStatus(true, true), firstStatus(true, false), firstStatus(false, false), firstStatus(false, true)]).toEqual(['queued', 'queued', 'stopped', 'awaiting_chat_install']);
  });

  it('no sequence of events leaves the eight statuses, and nothing follows the end, in 10,000 sequences', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }), (provision, chat, events) => {
        let status: InternStatus | 'gone' = firstStatus(provision, chat);
        for (const event of events) {
          if (status === 'gone') return;
          const outcome = outcomeOf(status, event);
          expect(outcome).toBe(MODEL[`${status} ${event}`] ?? 'refused');
          if (outcome !== 'same' && outcome !== 'refused') status = outcome;
          expect([...INTERN_STATUSES, 'gone']).toContain(status);
        }
      }),
      { numRuns: 10_000 },
    );
  });
});
