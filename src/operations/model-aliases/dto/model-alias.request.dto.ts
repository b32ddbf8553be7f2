import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString } from 'class-validator';
import { MAX_ALIASED_MODELS } from '../../../catalogue/names/model-aliases.js';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';

/** The models that an alias refers to. */
@RequestExamples({ one: { summary: 'A name for a model', value: { models: ['builtin/eliza'] } } })
@NoAdditionalFields()
export class SetModelAliasRequest {
  /** Slugs of models. They are tried in this order, like `models` of a request. */
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
