import type { SqlSession } from '../database/sql.js';

/**
 * Removes the texts of calls from events without a pending delivery. `eventId`: only from this event. The delivery log
 * does not need the texts, because it contains no bodies.
 */
export async function dropContents(sql: SqlSession, eventId: string | null = null): Promise<void> {
  await sql.query(
    `update event e set data = '{}', holds_content = false
     where e.holds_content and ($1::uuid is null or e.id = $1)
       and not exists (select from webhook_delivery d where d.event_id = e.id and d.next_at is not null)`,
    [eventId],
  );
}
