import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { DeletedResponse } from '../../http/reply/deleted.response.dto.js';
import { OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import {
  CreateWorkspaceRequest,
  UpdateWorkspaceRequest,
  UpdateWorkspaceSettingsRequest,
} from './dto/workspace.request.dto.js';
import { WorkspaceListResponse, WorkspaceResponse, WorkspaceSettingsResponse } from './dto/workspace.response.dto.js';
import { WorkspacesService } from './workspaces.service.js';
import { toSettingsRecord, toWorkspaceRecord } from './workspaces.wire.js';

const ID = { name: 'id', description: 'The id of the workspace, or its slug' } as const;

@ApiTags('Workspaces')
@Controller('workspaces')
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Get()
  @Access('administration', 'workspaces.read')
  @Operation('listWorkspaces', 'List workspaces', 'Returns the workspaces of the account, the default workspace first.')
  @ApiOkResponse({ type: WorkspaceListResponse, description: 'The workspaces, oldest first' })
  @FailsWith()
  async list(@Query() request: OffsetPageRequest, @Caller() caller: Principal): Promise<WorkspaceListResponse> {
    const { items, total } = await this.workspaces.list(request, caller);
    return { data: items.map(toWorkspaceRecord), total_count: total };
  }

  @Post()
  @Access('management', 'workspaces.manage')
  @Operation('createWorkspace', 'Create a workspace', 'Creates a workspace.')
  @ApiCreatedResponse({ type: WorkspaceResponse, description: 'The workspace' })
  @FailsWith('forbidden')
  async create(@Body() request: CreateWorkspaceRequest, @Caller() caller: Principal): Promise<WorkspaceResponse> {
    return { data: toWorkspaceRecord(await this.workspaces.create(request, caller)) };
  }

  @Get(':id')
  @Access('administration', 'workspaces.read')
  @Operation('getWorkspace', 'Get a workspace', 'Returns one workspace.')
  @ApiParam(ID)
  @ApiOkResponse({ type: WorkspaceResponse, description: 'The workspace' })
  @FailsWith('not_found')
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<WorkspaceResponse> {
    return { data: toWorkspaceRecord(await this.workspaces.get(id, caller)) };
  }

  @Patch(':id')
  @Access('management', 'workspaces.write')
  @Operation('updateWorkspace', 'Update a workspace', 'Changes only the given members.')
  @ApiParam(ID)
  @ApiOkResponse({ type: WorkspaceResponse, description: 'The updated workspace' })
  @FailsWith('forbidden', 'not_found')
  async update(
    @Param('id') id: string,
    @Body() request: UpdateWorkspaceRequest,
    @Caller() caller: Principal,
  ): Promise<WorkspaceResponse> {
    return { data: toWorkspaceRecord(await this.workspaces.update(id, request, caller)) };
  }

  @Delete(':id')
  @Access('management', 'workspaces.manage')
  @Operation(
    'deleteWorkspace',
    'Delete a workspace',
    'Deletes an empty workspace. The default workspace cannot be deleted.',
  )
  @ApiParam(ID)
  @ApiOkResponse({ type: DeletedResponse, description: 'Deleted' })
  @FailsWith('forbidden', 'not_found')
  async delete(@Param('id') id: string, @Caller() caller: Principal): Promise<DeletedResponse> {
    await this.workspaces.delete(id, caller);
    return { deleted: true };
  }

  @Get(':id/settings')
  @Access('administration', 'workspaces.read')
  @Operation(
    'getWorkspaceSettings',
    'Get the settings of a workspace',
    'Returns the settings of a workspace that are not in its record.',
  )
  @ApiParam(ID)
  @ApiOkResponse({ type: WorkspaceSettingsResponse, description: 'The settings' })
  @FailsWith('not_found')
  async getSettings(@Param('id') id: string, @Caller() caller: Principal): Promise<WorkspaceSettingsResponse> {
    return { data: toSettingsRecord(await this.workspaces.get(id, caller)) };
  }

  @Patch(':id/settings')
  @Access('management', 'workspaces.write')
  @Operation(
    'updateWorkspaceSettings',
    'Update the settings of a workspace',
    'Changes only the given members. The changes take effect within 5 s.',
  )
  @ApiParam(ID)
  @ApiOkResponse({ type: WorkspaceSettingsResponse, description: 'The updated settings' })
  @FailsWith('forbidden', 'not_found')
  async updateSettings(
    @Param('id') id: string,
    @Body() request: UpdateWorkspaceSettingsRequest,
    @Caller() caller: Principal,
  ): Promise<WorkspaceSettingsResponse> {
    return { data: toSettingsRecord(await this.workspaces.updateSettings(id, request, caller)) };
  }
}
