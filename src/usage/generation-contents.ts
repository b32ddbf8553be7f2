import { Injectable } from '@nestjs/common';
import { Sql, type SqlSession } from '../database/sql.js';
import { EXPORTED_EVENT } from './export/generation-export.js';

/**
 * Contents of calls that are never settled are removed after this time. The outbox keeps unread entries for
 * the export for the same time.
 */
const MAX_AGE_DAYS = 3;

/**
 * Stores the texts of a call until they are moved into the event with the record of the call. They are stored nowhere
 * else.
 */
@Injectable()
export class GenerationContents {
  constructor(private readonly sql: Sql) {}

  /**
   * Stores the content before the call is settled, so that it exists when the record is written. Does nothing if no
   * webhook needs it.
   */
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
