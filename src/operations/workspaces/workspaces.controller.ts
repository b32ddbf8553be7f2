import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import { CalledFrom } from '../../http/called-from.decorator.js';
import { FailsWith } from '../../http/fails-with.decorator.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import type { Principal } from '../../kernel/principal.js';
import { ListWorkspacesRequest } from './dto/list-workspaces.request.dto.js';
import { CREATE_WORKSPACE_EXAMPLES, UPDATE_WORKSPACE_EXAMPLES } from './dto/workspace.examples.js';
import { CreateWorkspaceRequest, UpdateWorkspaceRequest } from './dto/workspace.request.dto.js';
import { WorkspaceDeletedResponse, WorkspaceListResponse, WorkspaceResponse } from './dto/workspace.response.dto.js';
import { WorkspacesService } from './workspaces.service.js';
import { toWorkspaceRecord } from './workspaces.wire.js';

const ID = { name: 'id', description: 'The id of the workspace, or its slug' } as const;

@ApiTags('Workspaces')
@Controller('workspaces')
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  /** The workspaces of the account, the default one first. */
  @Get()
  @Access('administration')
  @ApiOperation({ operationId: 'listWorkspaces', summary: 'List workspaces' })
  @ApiOkResponse({ type: WorkspaceListResponse, description: 'The workspaces, oldest first' })
  @FailsWith()
  async list(@Query() request: ListWorkspacesRequest, @Caller() caller: Principal): Promise<WorkspaceListResponse> {
    const { items, total } = await this.workspaces.list(request, caller);
    return { data: items.map(toWorkspaceRecord), total_count: total };
  }

  /** Makes a workspace. */
  @Post()
  @Access('management')
  @ApiOperation({ operationId: 'createWorkspace', summary: 'Create a workspace' })
  @ApiBody({ type: CreateWorkspaceRequest, examples: CREATE_WORKSPACE_EXAMPLES })
  @ApiCreatedResponse({ type: WorkspaceResponse, description: 'The workspace' })
  @FailsWith('forbidden')
  async create(
    @Body() request: CreateWorkspaceRequest,
    @Caller() caller: Principal,
    @CalledFrom() place: CallerPlace,
  ): Promise<WorkspaceResponse> {
    return { data: toWorkspaceRecord(await this.workspaces.create(request, caller, place)) };
  }

  /** One workspace. */
  @Get(':id')
  @Access('administration')
  @ApiOperation({ operationId: 'getWorkspace', summary: 'Get a workspace' })
  @ApiParam(ID)
  @ApiOkResponse({ type: WorkspaceResponse, description: 'The workspace' })
  @FailsWith('not_found')
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<WorkspaceResponse> {
    return { data: toWorkspaceRecord(await this.workspaces.get(id, caller)) };
  }

  /** Changes what is named; the rest stays. */
  @Patch(':id')
  @Access('management')
  @ApiOperation({ operationId: 'updateWorkspace', summary: 'Update a workspace' })
  @ApiParam(ID)
  @ApiBody({ type: UpdateWorkspaceRequest, examples: UPDATE_WORKSPACE_EXAMPLES })
  @ApiOkResponse({ type: WorkspaceResponse, description: 'The workspace as it is now' })
  @FailsWith('forbidden', 'not_found')
  async update(
    @Param('id') id: string,
    @Body() request: UpdateWorkspaceRequest,
    @Caller() caller: Principal,
    @CalledFrom() place: CallerPlace,
  ): Promise<WorkspaceResponse> {
    return { data: toWorkspaceRecord(await this.workspaces.update(id, request, caller, place)) };
  }

  /** Deletes an empty workspace. The default one stays. */
  @Delete(':id')
  @Access('management')
  @ApiOperation({ operationId: 'deleteWorkspace', summary: 'Delete a workspace' })
  @ApiParam(ID)
  @ApiOkResponse({ type: WorkspaceDeletedResponse, description: 'It is gone' })
  @FailsWith('forbidden', 'not_found')
  async delete(
    @Param('id') id: string,
    @Caller() caller: Principal,
    @CalledFrom() place: CallerPlace,
  ): Promise<WorkspaceDeletedResponse> {
    await this.workspaces.delete(id, caller, place);
    return { deleted: true };
  }
}
