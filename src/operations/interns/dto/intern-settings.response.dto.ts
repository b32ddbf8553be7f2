import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse } from '../../../http/reply/data-response.js';
import { APPROVAL_MODES, LIMIT_RESETS } from './intern-settings.request.dto.js';

/** The settings of an intern; they take effect at once. */
export class InternSettingsRecord {
  /** In USD; null = no limit. 0 if the key that created the intern is unknown. */
  @ApiProperty({ type: Number, nullable: true })
  limit: number | null;

  @ApiProperty({ type: String, enum: LIMIT_RESETS, nullable: true })
  limit_reset: string | null;

  @ApiProperty({ type: [String] })
  allowed_hosts: string[];

  @ApiProperty({ type: String, enum: APPROVAL_MODES })
  approval_mode: string;
}

@ResponseExample({
  data: { limit: 25, limit_reset: 'monthly', allowed_hosts: ['api.example.com'], approval_mode: 'manual' },
})
export class InternSettingsResponse extends DataResponse(InternSettingsRecord) {}
