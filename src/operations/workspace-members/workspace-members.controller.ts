import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { UpdateWorkspaceMemberRequest, WorkspaceUsersRequest } from './dto/workspace-members.request.dto.js';
import {
  WorkspaceMemberListResponse,
  WorkspaceMemberResponse,
  WorkspaceMembersAddedResponse,
  WorkspaceMembersRemovedResponse,
} from './dto/workspace-members.response.dto.js';
import { WorkspaceMembersService } from './workspace-members.service.js';
import { toWorkspaceMember } from './workspace-members.wire.js';

const ID = { name: 'id', description: 'The id of the workspace, or its slug' } as const;

@ApiTags('Workspaces')
@Controller('workspaces')
export class WorkspaceMembersController {
  constructor(private readonly members: WorkspaceMembersService) {}

  @Get(':id/members')
  @Access('management', 'members.read')
  @Operation(
    'listWorkspaceMembers',
    'List the members of a workspace',
    'Returns the members of a workspace. Owners and admins of the account belong to every workspace, and ' +
      'every member belongs to the default one.',
  )
  @ApiParam(ID)
  @ApiOkResponse({ type: WorkspaceMemberListResponse, description: 'The members, oldest first' })
  @FailsWith('forbidden', 'not_found')
  async list(
    @Param('id') id: string,
    @Query() request: OffsetPageRequest,
    @Caller() caller: Principal,
  ): Promise<WorkspaceMemberListResponse> {
    const { items, total } = await this.members.list(id, request, caller);
    return { data: items.map(toWorkspaceMember), total_count: total };
  }

  @Post(':id/members/add')
  @HttpCode(200)
  @Access('management', 'workspace-members.write')
  @Operation(
    'bulkAddWorkspaceMembers',
    'Add members to a workspace',
    'Adds the users with the role `member`. Adds all or none: returns 400 if one of them is not an active ' +
      'member of the account.',
  )
  @ApiParam(ID)
  @ApiOkResponse({ type: WorkspaceMembersAddedResponse, description: 'The memberships' })
  @FailsWith('forbidden', 'not_found')
  async add(
    @Param('id') id: string,
    @Body() request: WorkspaceUsersRequest,
    @Caller() caller: Principal,
  ): Promise<WorkspaceMembersAddedResponse> {
    const { members, added } = await this.members.add(id, request, caller);
    return { data: members.map(toWorkspaceMember), added_count: added };
  }

  @Post(':id/members/remove')
  @HttpCode(200)
  @Access('management', 'workspace-members.write')
  @Operation(
    'bulkRemoveWorkspaceMembers',
    'Remove members from a workspace',
    'Removes all given members or none: 400 if one of them still has keys in the workspace. Users who do ' +
      'not belong to it are ignored.',
  )
  @ApiParam(ID)
  @ApiOkResponse({ type: WorkspaceMembersRemovedResponse, description: 'The number of removed members' })
  @FailsWith('forbidden', 'not_found')
  async remove(
    @Param('id') id: string,
    @Body() request: WorkspaceUsersRequest,
    @Caller() caller: Principal,
  ): Promise<WorkspaceMembersRemovedResponse> {
    return { removed_count: await this.members.remove(id, request, caller) };
  }

  @Patch(':id/members/:user_id')
  @Access('management', 'workspace-members.write')
  @Operation(
    'updateWorkspaceMember',
    'Change the role of a workspace member',
    'An `admin` of a workspace administers its keys, credentials and members. Returns 409 for owners and ' +
      'admins of the account, who are admins of every workspace, and 403 for your own role.',
  )
  @ApiParam(ID)
  @ApiOkResponse({ type: WorkspaceMemberResponse, description: 'The updated membership' })
  @FailsWith('forbidden', 'not_found', 'conflict')
  async setRole(
    @Param('id') id: string,
    @Param('user_id') userId: string,
    @Body() request: UpdateWorkspaceMemberRequest,
    @Caller() caller: Principal,
  ): Promise<WorkspaceMemberResponse> {
    return { data: toWorkspaceMember(await this.members.setRole(id, userId, request, caller)) };
  }
}
