import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { ModelAliasesController } from './model-aliases.controller.js';
import { ModelAliasesService } from './model-aliases.service.js';

/** Lets the operator define names for models, and for lists of models to try in order. */
@Module({
  imports: [AuditModule, CatalogueModule, TenancyModule],
  controllers: [ModelAliasesController],
  providers: [ModelAliasesService],
})
export class ModelAliasesModule {}
