import { join } from 'node:path';
import { ScriptedIssuer } from '../../support/applications/scripted-issuer.js';
import { exchangeToken, makePolicy } from '../../support/applications/workload.js';
import { apiClient } from '../../support/api/api-client.js';
import { eventually } from '../../support/eventually.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const CALLS = 12;
const CHAT = JSON.stringify({ model: 'builtin/eliza', messages: [{ role: 'user', content: 'I feel sad' }] });

describe('access tokens with WORKERS=2', () => {
  let folder: TemporaryFolder;
  let service: ServiceProcess;
  let issuer: ScriptedIssuer;
  beforeAll(async () => {
    folder = await temporaryFolder();
    issuer = await ScriptedIssuer.start();
    const DATA_DIR = join(folder.path, 'data');
    service = await startServiceProcess({ DATA_DIR, WORKERS: '2', FEDERATION_PRIVATE_ISSUERS: '127.0.0.1' });
  }, 120_000);
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await issuer.stop();
    await folder.remove();
  }, 60_000);

  it('are verified by the workers, and refused within 5 s after their policy was disabled', async () => {
    const management = apiClient(service.origin, TEST_MANAGEMENT_KEY);
    const { id } = await makePolicy({ management }, issuer);
    const given = await exchangeToken({ as: (key) => apiClient(service.origin, key) }, id, await issuer.token());
    const token = given.json.access_token as string;
    // Each call has its own connection, so that both workers get some.
    const call = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' };
      return (await fetch(`${service.origin}/api/v1/chat/completions`, { method: 'POST', headers, body: CHAT })).status;
    };
    const statuses = async (): Promise<Set<number>> => new Set(await Promise.all(Array.from({ length: CALLS }, call)));
    expect(await statuses()).toEqual(new Set([200]));
    await management.patch(`/federation-policies/${id}`, { json: { disabled: true } });
    await eventually(async () => expect(await statuses()).toEqual(new Set([401])), 5_000);
  });
});
