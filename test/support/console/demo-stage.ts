import { createTestDatabase } from '../database/test-database.js';
import { operate } from '../services/operator-line.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY, type TestService } from '../services/test-service.js';
import { temporaryFolder } from '../temporary-folder.js';
import { startConsoleStage, type ConsoleStage } from './console-stage.js';

/** A service with the console and the data of `npm run demo`, with fewer calls. */
export async function startDemoStage(calls: number, env: Readonly<Record<string, string>> = {}): Promise<ConsoleStage> {
  const database = await createTestDatabase();
  const folder = await temporaryFolder();
  const filling = {
    DATABASE_URL: database.url,
    DATA_DIR: folder.path,
    MASTER_KEY: 'a1'.repeat(32),
    BOOTSTRAP_MANAGEMENT_KEY: TEST_MANAGEMENT_KEY,
    BOOTSTRAP_API_KEY: TEST_API_KEY,
  };
  const { error } = await operate(database.url, filling, 'demo', '--calls', String(calls));
  if (error !== undefined) throw new Error('the demo data could not be made', { cause: error });
  const stage = await startConsoleStage({ databaseUrl: database.url, env });
  return {
    ...stage,
    stop: async () => {
      await stage.stop();
      await database.drop();
      await folder.remove();
    },
  };
}

/** Ids of one resource of each kind. Creates resources that the demo data lacks. */
export async function idsOf({ management, standard, sql }: TestService): Promise<Readonly<Record<string, string>>> {
  const intern = await standard.post('/interns', { json: { name: 'ada', provision: false } });
  const secret = { json: { value: 'very-secret-value', hosts: ['api.example.com'] } };
  await standard.put(`/vault/interns/${intern.json.id}/secrets/api_token`, secret);
  const hook = { format: 'slack', url: 'https://hooks.slack.com/services/XXXX', events: ['credits.low'] };
  const webhook = await management.post('/webhooks', { json: hook });
  const [owner] = (await management.get('/members')).json.data;
  const [key] = await sql.query<{ hash: string }>("select hash from api_key where name = 'Bootstrap API key'");
  const [call] = (await management.get('/generations?error=true&limit=1')).json.data;
  return {
    key: key!.hash,
    member: owner.user_id,
    call: call.id,
    webhook: webhook.json.data.id,
    intern: intern.json.id,
  };
}
