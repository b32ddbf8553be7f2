import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { InternPageResponse } from './intern.response.dto.js';

/** A conversation with an intern. */
export class SessionResponse {
  @ApiProperty({ type: String })
  session_id: string;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time' })
  updated_at: string;

  /** The number of processed user messages. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  turns: number;
}

@ResponseExample({
  data: [
    {
      session_id: 'first',
      created_at: '2026-11-20T09:02:00.000Z',
      updated_at: '2026-11-20T09:05:12.000Z',
      turns: 3,
    },
  ],
  has_more: false,
})
export class SessionListResponse extends InternPageResponse {
  @ApiProperty({ type: [SessionResponse] })
  data: SessionResponse[];
}

/** The message was added to the turn that is running in its session. */
@ResponseExample({ session_id: 'first', status: 'steered' })
export class SteeredResponse {
  @ApiProperty({ type: String })
  session_id: string;

  @ApiProperty({ type: String, enum: ['steered'] })
  status: 'steered';
}
