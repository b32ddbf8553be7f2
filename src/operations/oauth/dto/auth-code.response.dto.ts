import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';

export class AuthCodeRecord {
  /** The code, for one use within 10 minutes. Only this response contains it. */
  @ApiProperty()
  id: string;

  /** The id of the application, which is identified by the origin of its callback. */
  @ApiProperty({ type: 'integer' })
  app_id: number;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

@ResponseExample({
  data: { id: '6Vxr0pQ0mC0kZ0wqJ8o8bq4iYV0Vh7kP2m3tq0X8b1E', app_id: 1, created_at: '2026-11-27T08:30:00.000Z' },
})
export class AuthCodeResponse extends DataResponse(AuthCodeRecord) {}

@ResponseExample({ key: `sk-gh-v1-0e6${'0'.repeat(57)}1c96`, user_id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e' })
export class AuthKeyResponse {
  /** The secret of a standard key. Only this response contains it. */
  @ApiProperty()
  key: string;

  /** The member who approved the application. */
  @ApiProperty({ type: String, nullable: true })
  user_id: string | null;
}
