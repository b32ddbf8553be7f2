import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

const OPENINGS = ['code', 'key', 'oidc'] as const;

/** A browser that is signed in. */
export class ListedSessionRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** How it was opened. `code`: by a link or an invitation. */
  @ApiProperty({ enum: OPENINGS })
  kind: (typeof OPENINGS)[number];

  /** Whether it is the session of this request. */
  @ApiProperty()
  is_current: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;
}

@ResponseExample({
  data: [
    {
      id: '019ab0c4-4444-7a61-9d0e-1f2a3b4c5d6e',
      kind: 'code',
      is_current: true,
      created_at: '2026-11-27T09:00:00.000Z',
      expires_at: '2026-11-27T21:00:00.000Z',
    },
  ],
})
export class ConsoleSessionListResponse {
  @ApiProperty({ type: [ListedSessionRecord] })
  data: ListedSessionRecord[];
}

@ResponseExample({ ended_count: 2 })
export class ConsoleSessionsEndedResponse {
  @ApiProperty({ type: 'integer' })
  ended_count: number;
}
