import { AuditTrail } from '../../src/audit/audit-trail.js';
import { Config } from '../../src/config/config.js';
import { Notifications } from '../../src/database/notifications.js';
import { Sql } from '../../src/database/sql.js';
import { Clock, SystemClock } from '../../src/kernel/clock.js';
import { DataKeys } from '../../src/secrets/envelope/data-keys.js';
import { KeyRing } from '../../src/secrets/envelope/key-ring.js';
import { MasterKeyRotation } from '../../src/secrets/master-key-rotation.js';
import { SecretBox } from '../../src/secrets/secret-box.js';

/** The secrets room as one process has it, on a database that several of them may share. */
export interface SecretsRoom {
  readonly box: SecretBox;
  readonly ring: KeyRing;
  readonly rotation: MasterKeyRotation;
  readonly sql: Sql;
  readonly config: Config;
  readonly clock: Clock;
  close(): Promise<void>;
}

export async function openSecretsRoom(
  databaseUrl: string,
  env: Readonly<Record<string, string>>,
): Promise<SecretsRoom> {
  const config = Config.read(env);
  const sql = new Sql(databaseUrl, 6);
  const notifications = new Notifications(databaseUrl);
  const clock = new SystemClock();
  const ring = new KeyRing(config, sql, clock, notifications);
  const box = new SecretBox(ring, new DataKeys(ring, sql, clock, notifications), sql);
  await ring.read();
  await notifications.start();
  return {
    box,
    ring,
    rotation: new MasterKeyRotation(ring, sql, clock, new AuditTrail(sql, clock)),
    sql,
    config,
    clock,
    close: async () => {
      await notifications.close();
      await sql.close();
    },
  };
}
