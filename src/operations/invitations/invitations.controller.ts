import { Body, Controller, Delete, Get, Headers, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { DeletedResponse } from '../../http/reply/deleted.response.dto.js';
import { OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { CreateInvitationRequest } from './dto/invitation.request.dto.js';
import { InvitationCreatedResponse, InvitationListResponse } from './dto/invitation.response.dto.js';
import { InvitationsService } from './invitations.service.js';
import { toInvitationRecord } from './invitations.wire.js';

@ApiTags('Members')
@Access('management', 'members.write')
@Controller('invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @Operation(
    'listInvitations',
    'List invitations',
    'Returns the invitations that can still be used, without their links.',
  )
  @ApiOkResponse({ type: InvitationListResponse, description: 'The invitations, newest first' })
  @FailsWith('forbidden')
  async list(@Query() request: OffsetPageRequest, @Caller() caller: Principal): Promise<InvitationListResponse> {
    const { items, total } = await this.invitations.list(request, caller);
    return { data: items.map(toInvitationRecord), total_count: total };
  }

  @Post()
  @Operation(
    'createInvitation',
    'Invite a person',
    'Returns a link that makes one person a member. It can be used once within seven days, and only ' +
      'while its creator may assign the role. Returns 403 for a role above your own.',
  )
  @ApiCreatedResponse({ type: InvitationCreatedResponse, description: 'The invitation, with its link' })
  @FailsWith('forbidden')
  async create(
    @Body() request: CreateInvitationRequest,
    @Headers('host') host: string | undefined,
    @Caller() caller: Principal,
  ): Promise<InvitationCreatedResponse> {
    const { invitation, url } = await this.invitations.create(request, host, caller);
    return { data: toInvitationRecord(invitation), url };
  }

  @Delete(':id')
  @Operation(
    'revokeInvitation',
    'Revoke an invitation',
    'The link can no longer be used. Returns 404 if it was already used or revoked.',
  )
  @ApiOkResponse({ type: DeletedResponse, description: 'The invitation is revoked' })
  @FailsWith('forbidden', 'not_found')
  async revoke(@Param('id') id: string, @Caller() caller: Principal): Promise<DeletedResponse> {
    await this.invitations.revoke(id, caller);
    return { deleted: true };
  }
}
