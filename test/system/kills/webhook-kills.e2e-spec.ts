import { join } from 'node:path';
import { apiClient } from '../../support/api/api-client.js';
import { makeKey } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import { silence, startWebhookReceiver, type WebhookReceiver } from '../../support/engines/webhook-receiver.js';

const ROUNDS = process.env['LONG_TESTS'] ? 10 : 1;
const EVENTS = 12;

describe('a service that is killed with kill -9 while it delivers webhooks', () => {
  let folder: TemporaryFolder;
  let receiver: WebhookReceiver;
  let service: ServiceProcess;
  const env = (): Record<string, string> => ({
    DATA_DIR: join(folder.path, 'data'),
    WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
    WEBHOOK_TIMEOUT_MS: '1000',
    INTERN_RUNTIME: 'none',
  });
  beforeAll(async () => {
    folder = await temporaryFolder();
    receiver = await startWebhookReceiver();
    service = await startServiceProcess(env());
  }, 120_000);
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await receiver.close();
    await folder.remove();
  }, 60_000);

  it(
    `loses no event, and repeats events only under the same id, ${ROUNDS} times`,
    async () => {
      const first = apiClient(service.origin, TEST_MANAGEMENT_KEY);
      await first.post('/webhooks', { json: { url: receiver.url, events: ['key.created'] } });
      for (let round = 0; round < ROUNDS; round++) {
        receiver.seen.length = 0;
        receiver.respond = silence;
        const management = apiClient(service.origin, TEST_MANAGEMENT_KEY);
        const made: string[] = [];
        for (let index = 0; index < EVENTS; index++) made.push((await makeKey(management)).hash);
        await eventually(async () => expect(receiver.seen.length).toBeGreaterThan(0));
        service.kill('SIGKILL');
        await service.exited;
        receiver.respond = 200;
        service = await startServiceProcess(env());

        const idOf = new Map<string, Set<string>>();
        await eventually(async () => {
          for (const { headers, json } of receiver.seen) {
            const ids = idOf.get(json.data.hash) ?? new Set();
            idOf.set(json.data.hash, ids.add(headers['webhook-id']!));
          }
          expect([...idOf.keys()].toSorted()).toEqual(made.toSorted());
          const log = await apiClient(service.origin, TEST_MANAGEMENT_KEY).get('/webhooks');
          const deliveries = await apiClient(service.origin, TEST_MANAGEMENT_KEY).get(
            `/webhooks/${log.json.data[0].id}/deliveries?limit=${EVENTS}`,
          );
          expect(deliveries.json.data.map(({ status }: { status: string }) => status)).toEqual(
            made.map(() => 'delivered'),
          );
        }, 60_000);
        expect([...idOf.values()].map((ids) => ids.size)).toEqual(made.map(() => 1));
      }
    },
    ROUNDS * 120_000,
  );
});
