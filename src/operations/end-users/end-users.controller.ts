import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import {
  EndUserPath,
  ListEndUsersRequest,
  RegisterEndUserRequest,
  UpdateEndUserRequest,
} from './dto/end-user.request.dto.js';
import { EndUserDeactivatedResponse, EndUserListResponse, EndUserResponse } from './dto/end-user.response.dto.js';
import { EndUsersService } from './end-users.service.js';
import { toEndUserRecord } from './end-users.wire.js';

const USER = {
  name: 'user',
  description: 'The tracking id, URL-encoded',
  schema: { type: 'string', minLength: 1, maxLength: 256 },
} as const;

@ApiTags('End Users')
@Controller('end-users')
export class EndUsersController {
  constructor(private readonly endUsers: EndUsersService) {}

  @Get()
  @Access('administration', 'end-users.read')
  @Operation(
    'listEndUsers',
    'List registered end users',
    'Returns the registered end users of the account, and on request also inactive ones.',
  )
  @ApiOkResponse({ type: EndUserListResponse, description: 'The registrations, newest first' })
  @FailsWith()
  async list(@Query() request: ListEndUsersRequest, @Caller() caller: Principal): Promise<EndUserListResponse> {
    const { items, total } = await this.endUsers.list(request, caller);
    return { data: items.map(toEndUserRecord), total_count: total };
  }

  @Post()
  @Access('administration', 'end-users.write')
  @Operation('createEndUser', 'Register an end user', 'Registers an end user permanently under its tracking id.')
  @ApiCreatedResponse({ type: EndUserResponse, description: 'The registration' })
  @FailsWith('conflict')
  async register(@Body() request: RegisterEndUserRequest, @Caller() caller: Principal): Promise<EndUserResponse> {
    return { data: toEndUserRecord(await this.endUsers.register(request, caller)) };
  }

  @Get(':user')
  @Access('administration', 'end-users.read')
  @Operation('getEndUser', 'Get a registered end user', 'Returns one registration, active or not.')
  @ApiParam(USER)
  @ApiOkResponse({ type: EndUserResponse, description: 'The registration, active or not' })
  @FailsWith('not_found')
  async get(@Param() { user }: EndUserPath, @Caller() caller: Principal): Promise<EndUserResponse> {
    return { data: toEndUserRecord(await this.endUsers.get(user, caller)) };
  }

  @Patch(':user')
  @Access('administration', 'end-users.write')
  @Operation(
    'updateEndUser',
    'Activate or deactivate an end user',
    'Activates or deactivates a registration. Calls of an inactive end user are not refused.',
  )
  @ApiParam(USER)
  @ApiOkResponse({ type: EndUserResponse, description: 'The updated registration' })
  @FailsWith('not_found')
  async update(
    @Param() { user }: EndUserPath,
    @Body() request: UpdateEndUserRequest,
    @Caller() caller: Principal,
  ): Promise<EndUserResponse> {
    return { data: toEndUserRecord(await this.endUsers.update(user, request, caller)) };
  }

  @Delete(':user')
  @Access('administration', 'end-users.write')
  @Operation('deleteEndUser', 'Deactivate an end user', 'Deactivates a registration. It can be repeated.')
  @ApiParam(USER)
  @ApiOkResponse({ type: EndUserDeactivatedResponse, description: 'The registration is inactive' })
  @FailsWith('not_found')
  async deactivate(@Param() { user }: EndUserPath, @Caller() caller: Principal): Promise<EndUserDeactivatedResponse> {
    return { deleted: true, data: toEndUserRecord(await this.endUsers.deactivate(user, caller)) };
  }
}
