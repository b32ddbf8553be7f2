import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { DeletedResponse } from '../../http/reply/deleted.response.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { PutWorkspaceBudgetRequest } from './dto/workspace-budget.request.dto.js';
import {
  WorkspaceBudgetListResponse,
  WorkspaceBudgetResponse,
  WorkspaceBudgetSetResponse,
} from './dto/workspace-budget.response.dto.js';
import { WorkspaceBudgetsService } from './workspace-budgets.service.js';

const ID = { name: 'id', description: 'The id of the workspace, or its slug' } as const;
const INTERVAL = { name: 'interval', enum: ['daily', 'weekly', 'monthly', 'lifetime'] };

@ApiTags('Budgets')
@Controller('workspaces/:id/budgets')
export class WorkspaceBudgetsController {
  constructor(private readonly budgets: WorkspaceBudgetsService) {}

  @Get()
  @Access('administration', 'budgets.read')
  @Operation(
    'listWorkspaceBudgets',
    'List the budgets of a workspace',
    'Returns the budgets of a workspace: at most one for each interval, longest interval first.',
  )
  @ApiParam(ID)
  @ApiOkResponse({ type: WorkspaceBudgetListResponse, description: 'The budgets' })
  @FailsWith('not_found')
  list(@Param('id') id: string, @Caller() caller: Principal): Promise<WorkspaceBudgetListResponse> {
    return this.budgets.list(id, caller);
  }

  @Get(':interval')
  @Access('administration', 'budgets.read')
  @Operation('getWorkspaceBudget', 'Get a budget of a workspace', 'Returns the budget of one interval.')
  @ApiParam(ID)
  @ApiParam(INTERVAL)
  @ApiOkResponse({ type: WorkspaceBudgetResponse, description: 'The budget' })
  @FailsWith('not_found')
  async get(
    @Param('id') id: string,
    @Param('interval') interval: string,
    @Caller() caller: Principal,
  ): Promise<WorkspaceBudgetResponse> {
    return { data: await this.budgets.get(id, interval, caller) };
  }

  @Put(':interval')
  @Access('administration', 'budgets.write')
  @Operation(
    'setWorkspaceBudget',
    'Set a budget of a workspace',
    'Creates the budget of the interval, or changes its limit. A new budget includes the previous spend ' +
      'of the workspace in the current window. The limit must be below the limits of longer intervals, and ' +
      'above the limits of shorter ones.',
  )
  @ApiParam(ID)
  @ApiParam(INTERVAL)
  @ApiOkResponse({ type: WorkspaceBudgetSetResponse, description: 'The updated budget' })
  @FailsWith('not_found')
  put(
    @Param('id') id: string,
    @Param('interval') interval: string,
    @Body() request: PutWorkspaceBudgetRequest,
    @Caller() caller: Principal,
  ): Promise<WorkspaceBudgetSetResponse> {
    return this.budgets.put(id, interval, request, caller);
  }

  @Delete(':interval')
  @Access('administration', 'budgets.write')
  @Operation(
    'deleteWorkspaceBudget',
    'Delete a budget of a workspace',
    'Deletes the budget of the interval. Succeeds even if there is none.',
  )
  @ApiParam(ID)
  @ApiParam(INTERVAL)
  @ApiOkResponse({ type: DeletedResponse, description: 'Deleted' })
  @FailsWith('not_found')
  async delete(
    @Param('id') id: string,
    @Param('interval') interval: string,
    @Caller() caller: Principal,
  ): Promise<DeletedResponse> {
    await this.budgets.delete(id, interval, caller);
    return { deleted: true };
  }
}
