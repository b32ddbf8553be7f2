import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES } from '../../../events/event-types.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';
import { WIRE_FORMATS } from './webhook.request.dto.js';

/** A webhook. Records never contain its secret and headers. */
@ResponseExample({
  id: '019ab0c4-4444-7a61-9d0e-1f2a3b4c5d6e',
  url: 'https://hooks.example.com/gatehouse',
  to: null,
  format: 'signed',
  events: ['credits.low'],
  disabled: false,
  disabled_reason: null,
  created_at: '2026-11-22T08:30:00.000Z',
  updated_at: null,
})
export class WebhookRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  /** For a chat, the origin and the last characters of its address. Null for the format `email`. */
  @ApiProperty({ type: String, nullable: true })
  url: string | null;

  /** The mail address; null for other formats. */
  @ApiProperty({ type: String, nullable: true })
  to: string | null;

  @ApiProperty({ enum: WIRE_FORMATS })
  format: string;

  @ApiProperty({ type: [String], enum: EVENT_TYPES })
  events: string[];

  @ApiProperty()
  disabled: boolean;

  /** `failing`: no delivery succeeded for three days. */
  @ApiProperty({ type: String, enum: ['owner', 'failing', null], nullable: true })
  disabled_reason: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  updated_at: string | null;
}

export class WebhookResponse extends DataResponse(WebhookRecord) {}

export class WebhookSecretResponse extends WebhookResponse {
  /** The secret that signs deliveries. Only this response contains it. Null = the format has no signature. */
  @ApiProperty({
    type: String,
    nullable: true,
    pattern: '^whsec_',
    example: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  })
  secret: string | null;
}

export class WebhookListResponse extends ListResponse(WebhookRecord) {}

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

  /** Null = no further attempt, or an attempt is due now, as for a new or a resent delivery. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  next_attempt_at: string | null;
}

export class DeliveryResponse extends DataResponse(DeliveryRecord) {}

export class DeliveryListResponse extends ListResponse(DeliveryRecord) {}
