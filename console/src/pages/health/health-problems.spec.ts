import type { HealthRecord } from '../../api/records';
import { problemsOf } from './health-problems';

const AS_OF = '2026-11-27T12:00:00.000Z';
const HEALTHY: HealthRecord = {
  as_of: AS_OF,
  version: '1.0.0',
  node_version: 'v24.0.0',
  replica_id: 'a',
  replicas: [{ id: 'a', started_at: AS_OF, opens_secrets: true }],
  processes: [{ name: 'service', responds: true, started_at: AS_OF, open_calls: 0, refused_1h: 0 }],
  checks: [{ name: 'database', ok: true, fault: null, latency_ms: 1 }],
  analytics: { store: 'duckdb', phase: 'following', lag_seconds: 60 },
  webhooks: { pending: 1, has_more: false, oldest_at: '2026-11-27T11:50:00.000Z', failing: 0, disabled: 0 },
  endpoints: [],
  endpoints_total: 0,
  channels: [],
  channels_total: 0,
};
type Endpoint = HealthRecord['endpoints'][number];
type Channel = NonNullable<HealthRecord['channels']>[number];

const titles = (changes: Partial<HealthRecord>): string[] =>
  problemsOf({ ...HEALTHY, ...changes }).map(({ title }) => title);
const endpoint = (state: Endpoint['state']): Endpoint => ({ state }) as Endpoint;
const channel = (state: Channel['state']): Channel => ({ state }) as Channel;

describe('the problems of the service', () => {
  it('are none while everything works and the lag and the waiting time are within their limits', () => {
    expect(titles({})).toEqual([]);
  });

  it('count endpoints with an open or half-open breaker', () => {
    expect(titles({ endpoints: [endpoint('open'), endpoint('closed')] })).toEqual(['1 endpoint rests']);
    expect(titles({ endpoints: [endpoint('open'), endpoint('half_open')] })).toEqual(['2 endpoints rest']);
  });

  it('name refused, exhausted and resting channels, but no ready or disabled channels', () => {
    const states = ['ready', 'disabled', 'resting', 'refused', 'exhausted', 'refused'] as const;
    expect(titles({ channels: states.map(channel) })).toEqual([
      '2 channels refused by the vendor',
      '1 channel without credit at the vendor',
      '1 channel rests',
    ]);
  });

  it('list first the problems that make calls fail', () => {
    const checks = [
      { name: 'redis', ok: false, fault: 'Redis does not respond', latency_ms: 1 },
      { name: 'database', ok: false, fault: 'No response', latency_ms: 1_500 },
    ] as HealthRecord['checks'];
    expect(titles({ checks })).toEqual([
      'The database does not work: No response',
      'Redis does not work: Redis does not respond',
    ]);
  });

  it('name processes that did not respond, and count the refused calls of all processes', () => {
    const silent = { name: 'worker 1', responds: false, started_at: null, open_calls: null, refused_1h: null };
    const busy = { ...silent, name: 'worker 2', responds: true, refused_1h: 3 };
    expect(titles({ processes: [silent, busy, { ...busy, name: 'worker 3' }] })).toEqual([
      '1 process did not respond: worker 1',
      '6 calls of the last hour got 503, because more arrived than could be served',
    ]);
    expect(titles({ processes: [silent, { ...silent, name: 'committer' }] })).toEqual([
      '2 processes did not respond: worker 1, committer',
    ]);
  });

  it('name an analytics store that is being built or that lags, but no absent or stopped store', () => {
    const analytics = { store: 'duckdb', phase: 'following', lag_seconds: 61 } as const;
    expect(titles({ analytics })).toEqual(['The analytics store is 61 seconds behind']);
    expect(titles({ analytics: { ...analytics, phase: 'filling' } })).toEqual([
      'The analytics store is still being built',
    ]);
    expect(titles({ analytics: { ...analytics, store: 'postgres' } })).toEqual([]);
    expect(titles({ analytics: { ...analytics, phase: 'stopped', lag_seconds: null } })).toEqual([]);
  });

  it('name webhooks that fail or were disabled, and events that wait for longer than ten minutes', () => {
    const webhooks = { pending: 2, has_more: false, oldest_at: '2026-11-27T11:49:59.999Z', failing: 0, disabled: 0 };
    expect(titles({ webhooks })).toEqual(['Events have waited for over ten minutes to be delivered']);
    expect(titles({ webhooks: { ...webhooks, failing: 1, disabled: 2 } })).toEqual([
      'The last delivery to 1 webhook failed',
      '2 webhooks disabled by the service',
    ]);
  });

  it('omit the values that the database could not report', () => {
    expect(titles({ replicas: null, webhooks: null, channels: null })).toEqual([]);
  });

  it('name other replicas that cannot open secrets', () => {
    const replicas = ['a', 'b'].map((id) => ({ id, started_at: AS_OF, opens_secrets: false }));
    expect(titles({ replicas })).toEqual(['1 other replica cannot open secrets: b']);
  });
});
