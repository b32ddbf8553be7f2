import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { MAX_ALIASED_MODELS } from '../../../catalogue/names/model-aliases.js';
import { QueryInteger } from '../../../http/validation/query-value.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

/** What an alias stands for. */
@NoAdditionalFields()
export class SetModelAliasRequest {
  /** Slugs of models. The first one serves; where it cannot, the next one does, as with `models` of a request. */
  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: MAX_ALIASED_MODELS,
    example: ['builtin/eliza'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ALIASED_MODELS)
  @IsString({ each: true })
  models: string[];
}

export class ListModelAliasesRequest {
  /** Entries to skip. */
  @QueryInteger({ min: 0, byDefault: 0 })
  offset?: number;

  @QueryInteger({ min: 1, max: 100, byDefault: 50 })
  limit?: number;
}
