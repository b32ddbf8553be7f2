import type { ReplicaHealth } from './health.service.js';
import { toHealthRecord } from './health.wire.js';
import { mergedChannels, mergedEndpoints, type ReportedEndpoint } from '../../inference/merged-health.js';

const NOW = new Date('2026-11-27T12:00:00Z');
const PAUSE_MS = 30_000;

const anEndpoint = (facts: Partial<ReportedEndpoint> = {}): ReportedEndpoint => ({
  name: 'north large chat',
  provider: 'north',
  providerName: 'North',
  model: 'large',
  capability: 'chat',
  address: null,
  state: 'closed',
  openedAt: null,
  lastSuccessAt: null,
  lastFailure: null,
  requests: 0,
  errors: 0,
  ...facts,
});

const recordOf = (facts: Partial<ReplicaHealth> = {}) =>
  toHealthRecord(
    {
      replicaId: 'r',
      replicas: [],
      webhooks: null,
      channels: [],
      processes: [],
      checks: [],
      analytics: { store: 'duckdb', phase: 'following', lagMs: 0 },
      endpoints: [],
      ...facts,
    },
    NOW,
  );

describe('the health of endpoints in several processes', () => {
  it('has the state of the worst breaker, and the sum of all calls', () => {
    const [merged] = mergedEndpoints(
      [
        anEndpoint({ requests: 10, errors: 1, lastSuccessAt: 5_000, lastFailure: { status: 500, at: 4_000 } }),
        anEndpoint({
          requests: 2,
          errors: 2,
          state: 'open',
          openedAt: 7_000,
          lastFailure: { status: 503, at: 7_000 },
        }),
        anEndpoint({ requests: 1, state: 'half_open', openedAt: 6_000, lastSuccessAt: 1_000 }),
      ],
      PAUSE_MS,
    );
    expect(merged).toEqual({
      ...anEndpoint(),
      state: 'open',
      openIn: 2,
      openedAt: 6_000,
      nextTryAt: 6_000 + PAUSE_MS,
      requests: 13,
      errors: 3,
      lastSuccessAt: 5_000,
      lastFailure: { status: 503, at: 7_000 },
    });
  });

  it('lists endpoints with different names separately, worst state first', () => {
    const names = mergedEndpoints(
      [
        anEndpoint({ name: 'busy', requests: 100 }),
        anEndpoint({ name: 'failing', requests: 10, errors: 1 }),
        anEndpoint({ name: 'open', state: 'open', openedAt: 1 }),
        anEndpoint({ name: 'tried', state: 'half_open', openedAt: 1 }),
      ],
      PAUSE_MS,
    ).map(({ name }) => name);
    expect(names).toEqual(['open', 'tried', 'failing', 'busy']);
  });
});

describe('the health record', () => {
  it('lists at most 200 endpoints and states the number of all endpoints', () => {
    const endpoints = mergedEndpoints(
      Array.from({ length: 201 }, (_, at) => anEndpoint({ name: `e${at}`, requests: 1 })),
      PAUSE_MS,
    );
    const record = recordOf({ endpoints });
    expect([record.endpoints.length, record.endpoints_total]).toEqual([200, 201]);
  });

  it.each([
    [0, 0, null],
    [1, 0, 100],
    [1, 1, 0],
    [3, 1, 66.66],
    [1_000_000, 1, 99.99],
  ])(
    'rounds the uptime down, so that 100 means no outage: %i calls with %i outages give %p',
    (requests, errors, uptime) => {
      const endpoints = mergedEndpoints([anEndpoint({ requests, errors })], PAUSE_MS);
      expect(recordOf({ endpoints }).endpoints[0]!.uptime_1h).toBe(uptime);
    },
  );

  it.each([
    [10_000, 10_000, false],
    [10_001, 10_000, true],
  ])('counts %i pending deliveries as %i, and reports if there are more', (pending, counted, hasMore) => {
    const webhooks = { pending, oldestAt: NOW, failing: 0, disabled: 0 };
    expect(recordOf({ webhooks }).webhooks).toMatchObject({ pending: counted, has_more: hasMore });
  });

  it('has null for values that the database did not return', () => {
    expect(recordOf({ replicas: null, webhooks: null, channels: null })).toMatchObject({
      replicas: null,
      webhooks: null,
      channels: null,
      channels_total: null,
    });
  });

  it('reports that a process does not respond if it is restarting or sends no reply', () => {
    const health = { openCalls: 2, refusals: 1, endpoints: [], channels: [] };
    const { processes } = recordOf({
      processes: [
        { name: 'worker 1', startedAt: NOW.getTime(), health },
        { name: 'worker 2', startedAt: NOW.getTime(), health: null },
        { name: 'worker 3', startedAt: null, health: null },
        { name: 'committer', startedAt: NOW.getTime(), health: undefined },
      ],
    });
    expect(processes.map(({ responds, open_calls: calls, refused_1h: refused }) => [responds, calls, refused])).toEqual(
      [
        [true, 2, 1],
        [false, null, null],
        [false, null, null],
        [true, null, null],
      ],
    );
  });

  it('adds up the calls of a credential in all processes, with its newest error', () => {
    const record = { lastSuccessAt: null, requests: 2, errors: 1, medianMs: 10 };
    const seen = mergedChannels([
      ['a', { ...record, lastError: { status: 429, at: new Date(2) } }],
      ['a', { ...record, lastError: { status: 401, at: new Date(1) } }],
      ['b', { ...record, lastError: null }],
    ]);
    expect(seen.get('a')).toMatchObject({ requests: 4, errors: 2, lastError: { status: 429 } });
    expect(seen.get('b')).toMatchObject({ requests: 2, errors: 1, lastError: null });
  });

  it('has the median time of the process with the most calls of a credential', () => {
    const records = [5, 6, 8].map((requests) => {
      const record = { lastSuccessAt: null, lastError: null, requests, errors: 0, medianMs: requests * 10 };
      return ['a', record] as const;
    });
    for (const ordered of [records, records.toReversed()]) expect(mergedChannels(ordered).get('a')!.medianMs).toBe(80);
  });
});
