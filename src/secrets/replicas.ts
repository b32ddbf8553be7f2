import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';

/** A replica whose heartbeat is older has ended, or cannot reach the database. */
const MAX_HEARTBEAT_AGE = `interval '30 seconds'`;

/** A running service of this installation, as it announced itself. */
export interface Replica {
  readonly id: string;
  /** Ids of the master keys that its configuration offers. */
  readonly masterKeyIds: readonly string[];
  readonly opensSecrets: boolean;
  readonly startedAt: Date;
}

/** The replicas with a recent heartbeat. */
@Injectable()
export class Replicas {
  constructor(private readonly sql: Sql) {}

  list(timeoutMs?: number): Promise<Replica[]> {
    return this.sql.query<Replica>(
      `select id, master_key_ids as "masterKeyIds", opens_secrets as "opensSecrets",
         started_at as "startedAt"
       from replica
       where heartbeat_at > now() - ${MAX_HEARTBEAT_AGE}
       order by id`,
      [],
      { timeoutMs },
    );
  }
}
