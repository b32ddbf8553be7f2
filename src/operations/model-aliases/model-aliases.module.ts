import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { ModelAliasesController } from './model-aliases.controller.js';
import { ModelAliasesService } from './model-aliases.service.js';

/** Lets the operator give names to models, and to lists of models that stand in for each other. */
@Module({
  imports: [AuditModule, CatalogueModule, TenancyModule],
  controllers: [ModelAliasesController],
  providers: [ModelAliasesService],
})
export class ModelAliasesModule {}
