import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '../../support/api/api-builders.js';
import { apiClient } from '../../support/api/api-client.js';
import { ScriptedIssuer } from '../../support/applications/scripted-issuer.js';
import { exchangeToken, makePolicy } from '../../support/applications/workload.js';
import { eventually } from '../../support/eventually.js';
import { postExpectingContinue } from '../../support/hostile/expect-continue.js';
import { committerOf, isAlive, workersOf } from '../../support/services/child-processes.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';

const METRICS_TOKEN = 'metrics-token-of-the-test';
const CALLS = 20;
/** Longer than the supervisor waits for a worker's report. */
const HEALTH_TIMEOUT_MS = 4_000;
const CHAT = JSON.stringify({ model: 'builtin/eliza', messages: [{ role: 'user', content: 'I feel sad' }] });

describe('a service with WORKERS=2', () => {
  let folder: TemporaryFolder;
  let service: ServiceProcess;
  let vendor: ScriptedChatVendor;
  let issuer: ScriptedIssuer;
  const management = () => apiClient(service.origin, TEST_MANAGEMENT_KEY);

  beforeAll(async () => {
    folder = await temporaryFolder();
    vendor = await startScriptedChatVendor();
    issuer = await ScriptedIssuer.start();
    service = await startServiceProcess({
      OPENAI_API_KEY: 'sk-vendor',
      OPENAI_BASE_URL: vendor.baseUrl,
      DATA_DIR: join(folder.path, 'data'),
      WORKERS: '2',
      METRICS_TOKEN,
      DATABASE_TIMEOUT_MS: '5000',
      SHUTDOWN_TIMEOUT_MS: '30000',
      FEDERATION_PRIVATE_ISSUERS: '127.0.0.1',
    });
  }, 120_000);

  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await Promise.all([vendor.close(), issuer.stop(), folder.remove()]);
  }, 60_000);

  /** A call on its own connection. */
  const chat = async (key = TEST_API_KEY, body = CHAT): Promise<Response> =>
    fetch(`${service.origin}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
      body,
    });
  const statuses = async (count: number, key?: string, body?: string): Promise<Set<number>> =>
    new Set((await Promise.all(Array.from({ length: count }, () => chat(key, body)))).map(({ status }) => status));
  const metrics = async (): Promise<string> =>
    (await fetch(`${service.origin}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).text();
  const reserved = async (): Promise<number> =>
    Number(/gatehouse_reservations_total\{outcome="reserved"\} (\d+)/.exec(await metrics())?.[1]);

  it('serves inference in both workers, and adds up their metrics', async () => {
    const before = await reserved();
    expect(await statuses(CALLS)).toEqual(new Set([200]));
    expect(await reserved()).toBe(before + CALLS);
    expect(await workersOf(service.pid)).toHaveLength(2);
  });

  it('adds up the observations of both workers in GET /health, and names a worker that does not reply', async () => {
    // Use a new connection for each read, because the kernel assigns some new connections to a stopped worker.
    const fresh = () => ({ headers: { connection: 'close' }, signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    const read = async () => (await management().get('/health', fresh())).json.data;
    const eliza = async () =>
      (await read()).endpoints.find(({ provider }: { provider: string }) => provider === 'builtin');
    const { requests_1h: before } = await eliza();
    expect(await statuses(CALLS)).toEqual(new Set([200]));
    expect(await eliza()).toMatchObject({ requests_1h: before + CALLS, uptime_1h: 100 });
    const responding = ['supervisor', 'worker 1', 'worker 2', 'committer'].map((name) => ({ name, responds: true }));
    await eventually(async () => expect((await read()).processes).toMatchObject(responding));
    const [worker] = await workersOf(service.pid);
    process.kill(worker!, 'SIGSTOP');
    try {
      await eventually(async () => {
        const { processes } = await read();
        expect(processes.filter(({ responds }: { responds: boolean }) => !responds)).toEqual([
          { name: 'worker 1', responds: false, started_at: expect.any(String), open_calls: null, refused_1h: null },
        ]);
      }, 40_000);
    } finally {
      process.kill(worker!, 'SIGCONT');
    }
  });

  it('adds up the calls of both workers with a platform credential', async () => {
    const body = CHAT.replace('builtin/eliza', 'openai/gpt-4o-mini');
    expect(await statuses(CALLS, TEST_API_KEY, body)).toEqual(new Set([200]));
    const { data } = (await management().get('/providers/credentials')).json;
    const listed = data.find(({ provider }: { provider: string }) => provider === 'openai');
    expect(listed).toMatchObject({ requests_1h: CALLS, errors_1h: 0, last_success_at: expect.any(String) });
    expect((await management().get(`/providers/credentials/${listed.id}`)).json.data).toEqual(listed);
    expect((await management().get('/health')).json.data.channels).toMatchObject([{ requests_1h: CALLS }]);
  });

  it('counts requests for a rate limit over both workers', async () => {
    const { key, hash } = await makeKey(management(), { name: 'limited' });
    await management().put(`/keys/${hash}/settings`, { json: { requests_per_minute: CALLS / 2 } });
    const served = (await Promise.all(Array.from({ length: CALLS }, () => chat(key)))).map(({ status }) => status);
    expect(served.toSorted((a, b) => a - b)).toEqual([...Array(CALLS / 2).fill(200), ...Array(CALLS / 2).fill(429)]);
    expect((await apiClient(service.origin, key).get('/key')).status).toBe(429);
    expect(await metrics()).toContain(`gatehouse_http_responses_total{status="429"} ${CALLS / 2 + 1}\n`);
  });

  it('counts tokens and concurrent calls over both workers', async () => {
    const { key, hash } = await makeKey(management(), { name: 'tokens' });
    await management().put(`/keys/${hash}/settings`, {
      json: {
        tokens_per_minute: 1_000_000,
        max_concurrent: CALLS,
        models: { 'builtin/eliza': { requests_per_minute: CALLS } },
      },
    });
    const answers = await Promise.all(Array.from({ length: CALLS + 5 }, () => chat(key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(CALLS);
    const left = answers
      .map(({ headers }) => headers.get('x-ratelimit-remaining-tokens'))
      .filter((each) => each !== null);
    // Both workers share one count, so most calls report different values.
    expect(new Set(left).size).toBeGreaterThan(CALLS / 2);
    expect(await statuses(1, key)).toEqual(new Set([429]));
  });

  it('forwards requests other than inference to the supervisor', async () => {
    const made = await management().post('/keys', { json: { name: 'forwarded' } });
    expect(made.status).toBe(201);
    expect((await management().get(`/keys/${made.json.data.hash}`)).json.data.name).toBe('forwarded');
    expect((await fetch(`${service.origin}/readyz`)).status).toBe(200);
    expect((await fetch(`${service.origin}/console/`)).headers.get('content-type')).toContain('text/html');
    const form = new FormData();
    form.set('file', new Blob([Buffer.alloc(3_000_000, 'x')], { type: 'text/plain' }), 'long.txt');
    const stored = await apiClient(service.origin, TEST_MANAGEMENT_KEY).post('/files', { body: form });
    expect(stored).toMatchObject({ status: 200, json: { size_bytes: 3_000_000 } });
    expect((await management().get(`/files/${stored.json.id}`)).json.size_bytes).toBe(3_000_000);
  });

  it('forwards the address of the caller to the supervisor, and ignores an address that a caller sends', async () => {
    const headers = { 'x-gatehouse-caller': '203.0.113.9' };
    await management().post('/keys', { json: { name: 'addressed' }, headers });
    expect((await management().get('/audit?limit=1')).json.data[0].address).toBe('127.0.0.1');
  });

  it('refuses a forwarded request with an invalid key before its body is sent', async () => {
    const headers = { authorization: 'Bearer wrong', 'content-length': 100_000_000 };
    expect(await postExpectingContinue(`${service.origin}/api/v1/files`, headers)).toBe(401);
  });

  it('requests a forwarded body with 100 Continue if the caller expects it', async () => {
    const body = '{"name":"continued"}';
    const headers = {
      authorization: `Bearer ${TEST_MANAGEMENT_KEY}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    expect(await postExpectingContinue(`${service.origin}/api/v1/keys`, headers, body)).toBe(201);
  });

  it('continues to serve while the supervisor waits for the body of a request', async () => {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
    socket.write(
      `POST /api/v1/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_MANAGEMENT_KEY}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    expect((await management().get('/keys')).status).toBe(200);
    socket.destroy();
  });

  it('verifies access tokens in both workers, and refuses them within 5 s after their policy is disabled', async () => {
    const { id } = await makePolicy({ management: management() }, issuer);
    const given = await exchangeToken({ as: (key) => apiClient(service.origin, key) }, id, await issuer.token());
    const token = given.json.access_token as string;
    expect(await statuses(CALLS, token)).toEqual(new Set([200]));
    await management().patch(`/federation-policies/${id}`, { json: { disabled: true } });
    await eventually(async () => expect(await statuses(CALLS, token)).toEqual(new Set([401])), 5_000);
  });

  it('restarts a worker and a committer that were killed', async () => {
    const [workers, committer] = [await workersOf(service.pid), await committerOf(service.pid)];
    process.kill(workers[0]!, 'SIGKILL');
    process.kill(committer, 'SIGKILL');
    await eventually(async () => {
      expect(await workersOf(service.pid)).toHaveLength(2);
      expect(await committerOf(service.pid)).toBeGreaterThan(0);
      expect(await workersOf(service.pid)).not.toContain(workers[0]);
    }, 10_000);
    await eventually(async () => expect(await statuses(CALLS)).toEqual(new Set([200])), 10_000);
  });

  it('responds 503 with Retry-After while the committer hangs', async () => {
    const committer = await committerOf(service.pid);
    process.kill(committer, 'SIGSTOP');
    const response = await chat();
    process.kill(committer, 'SIGCONT');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('2');
    await eventually(async () => expect((await chat()).status).toBe(200), 5_000);
  });

  it('ends its workers when it is killed, and frees the port', async () => {
    const workers = await workersOf(service.pid);
    const port = new URL(service.origin).port;
    service.kill('SIGKILL');
    await service.exited;
    await eventually(async () => expect(await Promise.resolve(workers.filter(isAlive))).toEqual([]), 10_000);
    service = await startServiceProcess({ DATA_DIR: join(folder.path, 'data'), WORKERS: '2', PORT: port });
    expect((await chat()).status).toBe(200);
  }, 60_000);

  it('completes an open call before it exits on SIGTERM', async () => {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
    const head =
      `POST /api/v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_API_KEY}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${CHAT.length}\r\n\r\n`;
    socket.write(head + CHAT.slice(0, 10));
    await sleep(300);
    service.kill('SIGTERM');
    await sleep(300);
    socket.write(CHAT.slice(10));
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(response.toString()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await service.exited).toBe(0);
  }, 30_000);
});
