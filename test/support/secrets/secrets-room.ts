import { join } from 'node:path';
import { AuditTrail } from '../../../src/audit/audit-trail.js';
import { Config } from '../../../src/config/config.js';
import { DatabaseUrls } from '../../../src/database/database-urls.js';
import { Notifications } from '../../../src/database/notifications.js';
import { Sql } from '../../../src/database/sql.js';
import { Clock, SystemClock } from '../../../src/kernel/clock.js';
import { DataKeys } from '../../../src/secrets/envelope/data-keys.js';
import { KeyRing } from '../../../src/secrets/envelope/key-ring.js';
import { MasterKeyRotation } from '../../../src/secrets/master-key-rotation.js';
import { MasterKeyStart } from '../../../src/secrets/master-key-start.js';
import { Replicas } from '../../../src/secrets/replicas.js';
import { SecretBox } from '../../../src/secrets/secret-box.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { createTestDatabase, type TestDatabase } from '../database/test-database.js';

/** The components of one process that encrypt secrets, on a database that several processes may share. */
export interface SecretsRoom {
  readonly box: SecretBox;
  readonly ring: KeyRing;
  readonly rotation: MasterKeyRotation;
  readonly sql: Sql;
  readonly config: Config;
  readonly clock: Clock;
  close(): Promise<void>;
}

async function openSecretsRoom(databaseUrl: string, env: Readonly<Record<string, string>>): Promise<SecretsRoom> {
  const config = Config.read(env);
  const sql = new Sql(databaseUrl, 6);
  const notifications = new Notifications(databaseUrl);
  const clock = new SystemClock();
  const ring = new KeyRing(config, sql, notifications);
  const box = new SecretBox(ring, new DataKeys(ring, sql, clock, notifications), sql);
  // Start in the same way as a service. If the database has another master key, continue without a key.
  const start = new MasterKeyStart(config, new DatabaseUrls(databaseUrl), ring);
  await start.onModuleInit().catch(() => ring.read());
  await start.release();
  await notifications.start();
  return {
    box,
    ring,
    rotation: new MasterKeyRotation(ring, sql, clock, new AuditTrail(sql, clock), new Replicas(sql)),
    sql,
    config,
    clock,
    close: async () => {
      await notifications.close();
      await sql.close();
    },
  };
}

export interface SecretsStage {
  readonly database: TestDatabase;
  readonly folder: TemporaryFolder;
  /** Opens the components of an additional process; closed after the test. The data folder is `data` in `folder`. */
  open(env?: Readonly<Record<string, string>>): Promise<SecretsRoom>;
}

/** Creates a database and a folder for each test of the block. `usual`: the environment of every process. */
export function secretsStage(
  usual: (stage: SecretsStage) => Readonly<Record<string, string>> = inFolder,
): SecretsStage {
  const rooms: SecretsRoom[] = [];
  const stage = {
    open: async (env: Readonly<Record<string, string>> = {}) => {
      const room = await openSecretsRoom(stage.database.url, { ...usual(stage), ...env });
      rooms.push(room);
      return room;
    },
  } as { -readonly [Name in keyof SecretsStage]: SecretsStage[Name] };
  beforeEach(async () => {
    stage.database = await createTestDatabase();
    stage.folder = await temporaryFolder();
  });
  afterEach(async () => {
    await Promise.all(rooms.splice(0).map((room) => room.close()));
    await stage.database.drop();
    await stage.folder.remove();
  });
  return stage;
}

const inFolder = ({ folder }: SecretsStage): Readonly<Record<string, string>> => ({
  DATA_DIR: join(folder.path, 'data'),
});
