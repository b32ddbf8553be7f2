import type { SessionSummary } from '../../runtimes/turn.js';
import type { SessionListResponse } from './dto/session.response.dto.js';

/** A position in the order of sessions: newest first, then by id, descending. */
export type SessionPlace = Pick<SessionSummary, 'createdAt' | 'sessionId'>;

export function toSessionList(sessions: readonly SessionSummary[], hasMore: boolean): SessionListResponse {
  return {
    data: sessions.map(({ sessionId, createdAt, updatedAt, turns }) => ({
      session_id: sessionId,
      created_at: new Date(createdAt).toISOString(),
      updated_at: new Date(updatedAt).toISOString(),
      turns,
    })),
    has_more: hasMore,
    ...(hasMore ? { next_cursor: cursorOf(sessions.at(-1)!) } : {}),
  };
}

const cursorOf = ({ createdAt, sessionId }: SessionPlace): string =>
  Buffer.from(`after:${createdAt}:${sessionId}`).toString('base64url');

/** The position in a cursor; undefined for any other text. */
export function placeOfSessionCursor(cursor: string): SessionPlace | undefined {
  const [, createdAt, sessionId] =
    /^after:(\d{1,15}):(.+)$/s.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  return createdAt === undefined ? undefined : { createdAt: Number(createdAt), sessionId: sessionId! };
}

export const isAfter = ({ createdAt, sessionId }: SessionPlace, place: SessionPlace): boolean =>
  createdAt < place.createdAt || (createdAt === place.createdAt && sessionId < place.sessionId);
