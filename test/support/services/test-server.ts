import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/database/embedded-postgres.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';

/** The variable with the URL of the server. Jest's parent process sets it for the workers. */
export const TEST_SERVER_VARIABLE = 'GATEHOUSE_TEST_SERVER_URL';

let folder: TemporaryFolder | undefined;
let server: EmbeddedPostgres | undefined;

/** Starts one real PostgreSQL for the whole run. It does not use fsync, so a power loss can lose data. */
export async function startTestServer(): Promise<void> {
  // Two projects of one run may call it.
  if (server) return;
  folder = await temporaryFolder();
  server = await startEmbeddedPostgres({
    dataDir: join(folder.path, 'data'),
    log: (line) => process.stderr.write(`${line}\n`),
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_connections: '400',
    },
  });
  process.env[TEST_SERVER_VARIABLE] = server.url;
}

export async function stopTestServer(): Promise<void> {
  await server?.stop();
  await folder?.remove();
}
