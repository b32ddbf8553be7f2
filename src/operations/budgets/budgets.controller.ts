import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { DeletedResponse } from '../../http/reply/deleted.response.dto.js';
import { OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import { RaiseRequest } from '../../http/validation/raise.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { BudgetsService } from './budgets.service.js';
import { CreateBudgetRequest, ListBalancesRequest, UpdateBudgetRequest } from './dto/budget.request.dto.js';
import { BudgetBalancesResponse, BudgetListResponse, BudgetResponse } from './dto/budget.response.dto.js';

@ApiTags('Budgets')
@Controller('budgets')
export class BudgetsController {
  constructor(private readonly budgets: BudgetsService) {}

  @Get()
  @Access('management', 'budgets.read')
  @Operation(
    'listBudgets',
    'List budgets',
    'Returns the budgets of the account and of its workspaces, with the spend of their current windows.',
  )
  @ApiOkResponse({ type: BudgetListResponse, description: 'The budgets, oldest first' })
  @FailsWith('forbidden')
  list(@Query() request: OffsetPageRequest, @Caller() caller: Principal): Promise<BudgetListResponse> {
    return this.budgets.list(request, caller);
  }

  @Post()
  @Access('management', 'budgets.write')
  @Operation(
    'createBudget',
    'Create a budget',
    'Limits the spend of the calls of the scope in each window. A call is refused before it starts if ' +
      'the budget does not cover its worst-case price: 403 if the budget is used up, 402 if part of it ' +
      'is left.',
  )
  @ApiCreatedResponse({ type: BudgetResponse, description: 'The budget' })
  @FailsWith('forbidden', 'conflict')
  async create(@Body() request: CreateBudgetRequest, @Caller() caller: Principal): Promise<BudgetResponse> {
    return { data: await this.budgets.create(request, caller) };
  }

  @Get(':id')
  @Access('management', 'budgets.read')
  @Operation('getBudget', 'Get a budget', 'Returns one budget.')
  @ApiOkResponse({ type: BudgetResponse, description: 'The budget' })
  @FailsWith('forbidden', 'not_found')
  async get(@Param('id') id: string, @Caller() caller: Principal): Promise<BudgetResponse> {
    return { data: await this.budgets.get(id, caller) };
  }

  @Patch(':id')
  @Access('management', 'budgets.write')
  @Operation(
    'updateBudget',
    'Update a budget',
    'Changes only the given members. The change applies to the next call on every replica.',
  )
  @ApiOkResponse({ type: BudgetResponse, description: 'The updated budget' })
  @FailsWith('forbidden', 'not_found')
  async update(
    @Param('id') id: string,
    @Body() request: UpdateBudgetRequest,
    @Caller() caller: Principal,
  ): Promise<BudgetResponse> {
    return { data: await this.budgets.update(id, request, caller) };
  }

  @Delete(':id')
  @Access('management', 'budgets.write')
  @Operation('deleteBudget', 'Delete a budget', 'Deletes the budget. Calls are no longer limited by it.')
  @ApiOkResponse({ type: DeletedResponse, description: 'Deleted' })
  @FailsWith('forbidden', 'not_found')
  async delete(@Param('id') id: string, @Caller() caller: Principal): Promise<DeletedResponse> {
    await this.budgets.delete(id, caller);
    return { deleted: true };
  }

  @Put(':id/raise')
  @Access('management', 'budgets.write')
  @Operation(
    'raiseBudget',
    'Raise a budget temporarily',
    'Adds an amount to the limit until a time. A second raise replaces the first.',
  )
  @ApiOkResponse({ type: BudgetResponse, description: 'The updated budget' })
  @FailsWith('forbidden', 'not_found')
  async raise(
    @Param('id') id: string,
    @Body() request: RaiseRequest,
    @Caller() caller: Principal,
  ): Promise<BudgetResponse> {
    return { data: await this.budgets.raise(id, request, caller) };
  }

  @Delete(':id/raise')
  @Access('management', 'budgets.write')
  @Operation('endBudgetRaise', 'End the raise of a budget', 'The original limit applies again.')
  @ApiOkResponse({ type: BudgetResponse, description: 'The updated budget' })
  @FailsWith('forbidden', 'not_found')
  async endRaise(@Param('id') id: string, @Caller() caller: Principal): Promise<BudgetResponse> {
    return { data: await this.budgets.endRaise(id, caller) };
  }

  @Get(':id/balances')
  @Access('management', 'budgets.read')
  @Operation(
    'listBudgetBalances',
    'List the balances of a budget',
    'Returns the spend of each window, and of each value of `each`. The current window and the last ones ' +
      'are kept.',
  )
  @ApiOkResponse({ type: BudgetBalancesResponse, description: 'The balances, newest window first' })
  @FailsWith('forbidden', 'not_found')
  balances(
    @Param('id') id: string,
    @Query() request: ListBalancesRequest,
    @Caller() caller: Principal,
  ): Promise<BudgetBalancesResponse> {
    return this.budgets.balances(id, request, caller);
  }
}
