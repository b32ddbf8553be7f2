import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import { CalledFrom } from '../../http/called-from.decorator.js';
import { FailsWith } from '../../http/fails-with.decorator.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import type { Principal } from '../../kernel/principal.js';
import { CREATE_KEY_EXAMPLES } from './dto/create-key.examples.js';
import { CreateKeyRequest } from './dto/create-key.request.dto.js';
import { CreatedKeyResponse, KeyResponse } from './dto/key.response.dto.js';
import { KeysService } from './keys.service.js';
import { toKeyRecord } from './keys.wire.js';

@ApiTags('API Keys')
@Access('administration')
@Controller('keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  /** Creates a standard key. Its secret is in this answer and nowhere else. */
  @Post()
  @ApiOperation({ operationId: 'createKeys', summary: 'Create an API key' })
  @ApiBody({ type: CreateKeyRequest, examples: CREATE_KEY_EXAMPLES })
  @ApiCreatedResponse({ type: CreatedKeyResponse, description: 'The key, with its secret this once' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async create(@Body() request: CreateKeyRequest, @Caller() caller: Principal, @CalledFrom() place: CallerPlace): Promise<CreatedKeyResponse> {
    const created = await this.keys.create(request, caller, place);
    return { data: toKeyRecord(created), key: created.secret };
  }

  /** Metadata and usage of one API key. */
  @Get(':hash')
  @ApiOperation({ operationId: 'getKey', summary: 'Get one API key' })
  @ApiOkResponse({ type: KeyResponse, description: 'The key and what it spent' })
  @FailsWith('not_found')
  async get(@Param('hash') hash: string, @Caller() caller: Principal): Promise<KeyResponse> {
    return { data: toKeyRecord(await this.keys.get(hash, caller)) };
  }
}
