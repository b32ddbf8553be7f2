import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { NamesRequest, NameSearchRequest } from './dto/names.request.dto.js';
import { NamesResponse } from './dto/names.response.dto.js';
import { NamesService } from './names.service.js';
import { toNamesResponse } from './names.wire.js';

@ApiTags('Names')
@Access('any', 'catalogue.read')
@Controller('names')
export class NamesController {
  constructor(private readonly names: NamesService) {}

  @Post()
  @HttpCode(200)
  @Operation(
    'readNames',
    'Get the names of keys, members, workspaces and interns',
    'Returns the names for ids, including deleted keys and workspaces. Ids that do not exist or that the ' +
      'caller may not read are missing from the response. A key that is not a management key gets only its ' +
      "own name, and the names of its member's interns.",
  )
  @ApiOkResponse({ type: NamesResponse, description: 'The names' })
  @FailsWith()
  async read(@Body() request: NamesRequest, @Caller() caller: Principal): Promise<NamesResponse> {
    return toNamesResponse(await this.names.read(request, caller));
  }

  @Post('search')
  @HttpCode(200)
  @Operation(
    'searchNames',
    'Find keys, members, workspaces and interns by their names',
    'Returns up to 20 results of each kind that contain the text, deleted keys last. Searches names, ' +
      'labels of keys, addresses of members and slugs of workspaces. Case is ignored. Keys of console ' +
      'sessions are not listed.',
  )
  @ApiOkResponse({ type: NamesResponse, description: 'The results that the caller may read' })
  @FailsWith()
  async search(@Body() { query }: NameSearchRequest, @Caller() caller: Principal): Promise<NamesResponse> {
    return toNamesResponse(await this.names.search(query, caller));
  }
}
