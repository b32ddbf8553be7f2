import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SPEECH } from '../../support/analytics/analytics-stage.js';
import { startTestClickHouse, type TestClickHouse } from '../../support/engines/chdb.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

describe('analytics with CLICKHOUSE_URL', () => {
  let service: TestService;
  let server: TestClickHouse;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    server = await startTestClickHouse();
    folder = await temporaryFolder();
    // ClickHouse is unavailable when the service starts.
    await server.kill();
    const env = { CLICKHOUSE_URL: server.url, DATA_DIR: folder.path, RATE_LIMIT_ANALYTICS: 'off' };
    service = await startTestService({ env });
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    await server.stop();
    await folder.remove();
  });

  const query = () => service.management.post('/analytics/query', { json: { metrics: ['request_count'] } });
  const expectCount = (calls: number): Promise<void> =>
    eventually(async () => {
      const { status, json } = await query();
      expect([status, json.data?.data, json.data?.warnings]).toEqual([200, [{ request_count: calls }], undefined]);
    }, 30_000);
  const speak = async (): Promise<void> => {
    expect((await service.standard.post('/audio/speech', { json: SPEECH })).status).toBe(200);
  };

  it('answer 503 with Retry-After while ClickHouse is unavailable, and calls are still served', async () => {
    await speak();
    for (const answer of [await query(), await service.management.get('/generations')]) {
      expect([answer.status, answer.json.error.code, answer.headers.get('retry-after')]).toEqual([503, 503, '2']);
      expect(answer.text).not.toContain('secret');
    }
    expect((await service.management.get('/analytics/meta')).status).toBe(200);
    expect((await fetch(new URL('/readyz', service.origin))).status).toBe(200);
  });

  it('come from ClickHouse when it is available, without a copy in DATA_DIR', async () => {
    await server.start();
    await expectCount(1);
    await speak();
    await expectCount(2);
    const { json } = await service.management.get('/generations');
    expect(json.data).toHaveLength(2);
    expect(existsSync(join(folder.path, 'analytics'))).toBe(false);
  }, 60_000);

  it('count further calls after ClickHouse was killed', async () => {
    await server.kill();
    await speak();
    expect((await query()).status).toBe(503);
    await server.start();
    await expectCount(3);
  }, 60_000);
});
