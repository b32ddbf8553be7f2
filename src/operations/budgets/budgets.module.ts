import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { BillingModule } from '../../billing/billing.module.js';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { ChannelsModule } from '../../channels/channels.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { BudgetScopes } from './budget-scopes.js';
import { BudgetsController } from './budgets.controller.js';
import { BudgetsService } from './budgets.service.js';
import { ScopeNames } from './scope-names.js';
import { WorkspaceBudgetsController } from './workspace-budgets.controller.js';
import { WorkspaceBudgetsService } from './workspace-budgets.service.js';

/**
 * Lets an account limit the spend of workspaces, members, end users, tags, sessions, keys, models, providers and
 * credentials.
 */
@Module({
  imports: [AuditModule, BillingModule, CatalogueModule, ChannelsModule, TenancyModule],
  controllers: [BudgetsController, WorkspaceBudgetsController],
  providers: [BudgetScopes, BudgetsService, ScopeNames, WorkspaceBudgetsService],
})
export class BudgetsModule {}
