import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, Matches } from 'class-validator';
import { RequestExamples } from '../../../http/openapi/request-examples.decorator.js';
import { IsText } from '../../../http/validation/is-text.decorator.js';
import { MaxCharacters } from '../../../http/validation/max-characters.decorator.js';
import { QueryInteger } from '../../../http/validation/query-value.decorators.js';
import { NoAdditionalFields } from '../../../http/validation/request-validation.pipe.js';
import { IsHostName } from '../../../vaults/is-host-name.decorator.js';

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const NAME_RULE =
  'a secret name must begin with a lower-case letter and consist of words of lower-case letters and digits, joined ' +
  'by single underscores';
const NAME_MAX = 255;
const MAX_HOSTS = 100;
const MAX_NAMES = 100;
const VALUE_MAX = 65_536;

export class SecretPath {
  @ApiProperty({ type: String, pattern: NAME.source, maxLength: NAME_MAX })
  @Matches(NAME, { message: NAME_RULE })
  @MaxCharacters(NAME_MAX)
  name: string;
}

export class ListSecretsRequest {
  @QueryInteger({ min: 1, max: 100, byDefault: 100 })
  limit?: number;

  @QueryInteger({ min: 0, max: 10_000, byDefault: 0 })
  offset?: number;
}

@RequestExamples({ 'A token for one host': { value: { value: 'the-secret-itself', hosts: ['api.example.com'] } } })
@NoAdditionalFields()
export class StoreSecretRequest {
  /** The secret. No response contains it. */
  @ApiProperty({ type: String, minLength: 1, maxLength: VALUE_MAX, writeOnly: true })
  @IsText({ min: 1, max: VALUE_MAX })
  value: string;

  /** Exact host names that may receive the secret. Case and a trailing dot are ignored. */
  @ApiProperty({ type: [String], minItems: 1, maxItems: MAX_HOSTS, example: ['api.example.com'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_HOSTS)
  @IsHostName({ each: true })
  hosts: string[];
}

@RequestExamples({ 'Two secrets': { value: { names: ['api_token', 'deploy_key'] } } })
@NoAdditionalFields()
export class CopySecretsRequest {
  /** Names of workspace secrets. Either all are copied, or none. */
  @ApiProperty({ type: [String], minItems: 1, maxItems: MAX_NAMES, uniqueItems: true, example: ['api_token'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_NAMES)
  @ArrayUnique()
  @Matches(NAME, { each: true, message: NAME_RULE })
  @MaxCharacters(NAME_MAX, { each: true })
  names: string[];
}
