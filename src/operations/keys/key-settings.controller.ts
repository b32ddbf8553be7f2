import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { RaiseRequest } from '../../http/validation/raise.request.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { UpdateKeySettingsRequest } from './dto/key-settings.request.dto.js';
import { KeySettingsResponse } from './dto/key-settings.response.dto.js';
import { KeySettingsService } from './key-settings.service.js';

@ApiTags('API Keys')
@Controller('keys')
export class KeySettingsController {
  constructor(private readonly settings: KeySettingsService) {}

  @Get(':hash/settings')
  @Access('administration', 'keys.read')
  @Operation(
    'getKeySettings',
    'Get the settings of an API key',
    'Returns the settings of a key that are not in its record, such as models, rate limits, response ' +
      'cache and export of content.',
  )
  @ApiOkResponse({ type: KeySettingsResponse, description: 'The settings' })
  @FailsWith('not_found')
  async get(@Param('hash') hash: string, @Caller() caller: Principal): Promise<KeySettingsResponse> {
    return { data: await this.settings.get(hash, caller) };
  }

  @Put(':hash/settings')
  @Access('administration', 'keys.write')
  @Operation(
    'updateKeySettings',
    'Update the settings of an API key',
    'Changes only the given members. The changes take effect on every replica at once, also for the ' +
      'interns of the key.',
  )
  @ApiOkResponse({ type: KeySettingsResponse, description: 'The updated settings' })
  @FailsWith('not_found')
  async put(
    @Param('hash') hash: string,
    @Body() request: UpdateKeySettingsRequest,
    @Caller() caller: Principal,
  ): Promise<KeySettingsResponse> {
    return { data: await this.settings.put(hash, request, caller) };
  }

  @Put(':hash/raise')
  @Access('administration', 'keys.write')
  @Operation(
    'raiseKeyLimit',
    'Raise the limit of an API key temporarily',
    'Adds an amount to the limit until a time. A second raise replaces the first.',
  )
  @ApiOkResponse({ type: KeySettingsResponse, description: 'The updated settings' })
  @FailsWith('not_found')
  async raise(
    @Param('hash') hash: string,
    @Body() request: RaiseRequest,
    @Caller() caller: Principal,
  ): Promise<KeySettingsResponse> {
    return { data: await this.settings.raise(hash, request, caller) };
  }

  @Delete(':hash/raise')
  @Access('administration', 'keys.write')
  @Operation('endKeyLimitRaise', 'End the raise of the limit of an API key', 'The original limit applies again.')
  @ApiOkResponse({ type: KeySettingsResponse, description: 'The updated settings' })
  @FailsWith('not_found')
  async endRaise(@Param('hash') hash: string, @Caller() caller: Principal): Promise<KeySettingsResponse> {
    return { data: await this.settings.endRaise(hash, caller) };
  }
}
