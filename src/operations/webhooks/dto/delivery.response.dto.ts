import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';

/** The delivery of one event to one webhook. */
@ResponseExample({
  id: '019ab0c4-4444-7a61-9d0e-1f2a3b4c5d6e',
  event_id: 'evt_af683094-b632-47ab-afeb-222bc3b94017',
  type: 'webhook.test',
  status: 'delivered',
  attempts: 1,
  response_status: 204,
  error: null,
  created_at: '2026-11-22T08:30:00.000Z',
  last_attempt_at: '2026-11-22T08:30:00.000Z',
  next_attempt_at: null,
})
export class DeliveryRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** The value of the header webhook-id in every attempt. */
  @ApiProperty({ pattern: '^evt_' })
  event_id: string;

  @ApiProperty()
  type: string;

  @ApiProperty({ enum: ['pending', 'delivered', 'failed'] })
  status: string;

  @ApiProperty({ type: 'integer' })
  attempts: number;

  /** The status of the last response; null = no response to the last attempt. */
  @ApiProperty({ type: 'integer', nullable: true })
  response_status: number | null;

  /** Why the last attempt got no response. */
  @ApiProperty({ type: String, nullable: true })
  error: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_attempt_at: string | null;

  /** Null = no further attempt, or the first attempt is due. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  next_attempt_at: string | null;
}

export class DeliveryResponse {
  @ApiProperty({ type: DeliveryRecord })
  data: DeliveryRecord;
}

export class DeliveryListResponse {
  @ApiProperty({ type: [DeliveryRecord] })
  data: DeliveryRecord[];

  @ApiProperty({ type: 'integer' })
  total_count: number;
}
