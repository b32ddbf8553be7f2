import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { BillingModule } from '../../billing/billing.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { KeyListController } from './key-list.controller.js';
import { KeyListService } from './key-list.service.js';
import { KeySettingsController } from './key-settings.controller.js';
import { KeySettingsService } from './key-settings.service.js';
import { KeySpends } from './key-spends.js';
import { KeysController } from './keys.controller.js';
import { KeyChangeRules } from './key-change-rules.js';
import { NewKeys } from './new-keys.js';
import { KeysService } from './keys.service.js';

/**
 * Lets a management key list, search, create, read, change, rotate and delete API keys, and end their former secrets.
 * Lets any key read its own record.
 */
@Module({
  imports: [AuditModule, AuthModule, BillingModule, CatalogueModule, TenancyModule],
  controllers: [KeyListController, KeysController, KeySettingsController],
  providers: [KeyChangeRules, KeyListService, NewKeys, KeysService, KeySettingsService, KeySpends],
})
export class KeysModule {}
