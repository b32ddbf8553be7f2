import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const RECORD = resolve('test/support/hostile/connection-record.mjs');
/** Longer than the intervals of the service's periodic work. */
const IDLE_MS = 6_000;

describe('a service', () => {
  let folder: TemporaryFolder;
  let service: ServiceProcess;
  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startServiceProcess({
      DATA_DIR: join(folder.path, 'data'),
      NODE_OPTIONS: `--import ${RECORD}`,
      OPENAI_API_KEY: 'sk-of-the-vendor',
      OPENAI_BASE_URL: 'http://vendor.invalid/v1',
      CONNECTION_RECORD: join(folder.path, 'connections'),
    });
  }, 120_000);
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await folder.remove();
  });

  const call = async (path: string, key: string, json?: object): Promise<number> => {
    const response = await fetch(`${service.origin}/api/v1${path}`, {
      method: json ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: json && JSON.stringify(json),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const record = async (): Promise<string[]> =>
    (await readFile(join(folder.path, 'connections'), 'utf8')).trim().split('\n');

  it('without calls of vendors connects to no host and looks up no name, even when it is idle', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    expect(await call('/chat/completions', TEST_API_KEY, { model: 'builtin/eliza', messages })).toBe(200);
    expect(await call('/models', TEST_API_KEY)).toBe(200);
    expect(await call('/activity', TEST_MANAGEMENT_KEY)).toBe(200);
    await sleep(IDLE_MS);

    expect(await record()).toEqual(['process']);
  }, 60_000);

  it('looks up the name of a vendor when the vendor is called', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    expect(await call('/chat/completions', TEST_API_KEY, { model: 'openai/gpt-4o-mini', messages })).toBe(502);
    expect(await record()).toContain('name vendor.invalid');
  });
});
