import { ApiProperty } from '@nestjs/swagger';
import { ResponseExample } from '../../../http/openapi/response-example.decorator.js';
import { DataResponse, ListResponse } from '../../../http/reply/data-response.js';

/** A name that the operator defined for one or more models. */
@ResponseExample({ name: 'fast', models: ['builtin/eliza'], updated_at: '2026-11-27T08:30:00.000Z' })
export class ModelAliasRecord {
  @ApiProperty()
  name: string;

  /** The slugs of the models, in the order in which they are tried. */
  @ApiProperty({ type: [String] })
  models: string[];

  @ApiProperty({ format: 'date-time' })
  updated_at: string;
}

export class ModelAliasResponse extends DataResponse(ModelAliasRecord) {}

export class ModelAliasListResponse extends ListResponse(ModelAliasRecord) {}
