import { Injectable } from '@nestjs/common';
import { Sql, type SqlSession } from '../database/sql.js';
import { EXPORTED_EVENT } from './export/generation-export.js';

/** As long as the outbox waits for the export. Contents of calls that were not settled stay until then. */
const MAX_AGE_DAYS = 3;

/** Texts of calls on their way from the call to the event with its record. Nothing else stores them. */
@Injectable()
export class GenerationContents {
  constructor(private readonly sql: Sql) {}

  /** Keeps it before the call is settled, so that it is there when the record is; nothing where no webhook wants it. */
  async keep(accountNo: number, generationId: string, content: object): Promise<void> {
    await this.sql.query(
      `insert into generation_content (account_no, generation_id, content)
       select $1, $2, $3::jsonb where exists (
         select from webhook where account_no = $1 and disabled_at is null and $4 = any(events))`,
      [accountNo, generationId, JSON.stringify(content), EXPORTED_EVENT],
    );
  }
}

export async function removeOldContents(sql: SqlSession): Promise<void> {
  await sql.query(
    `delete from generation_content where created_at < clock_timestamp() - interval '${MAX_AGE_DAYS} days'`,
  );
}
