import { ApiProperty } from '@nestjs/swagger';
import { ClosedObject } from '../../../http/validation/closed-object.decorator.js';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';

/** End-user record (specification, "End-user record"). */
@ResponseExample({
  user: 'customer-42',
  is_active: true,
  created_at: '2026-11-22T08:30:00.000Z',
  updated_at: '2026-11-22T08:30:00.000Z',
})
@ClosedObject()
export class EndUserRecord {
  /** The tracking id, as registered. */
  @ApiProperty()
  user: string;

  @ApiProperty()
  is_active: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /** When the state last changed. */
  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}

export class EndUserResponse extends DataResponse(EndUserRecord) {}

export class EndUserListResponse extends ListResponse(EndUserRecord) {}

export class EndUserDeactivatedResponse extends EndUserResponse {
  /** Always true, as for other DELETE operations. The record can still be read. */
  @ApiProperty({ enum: [true] })
  deleted: true;
}
