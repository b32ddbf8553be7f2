import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { ProviderCredentials } from '../../secrets/provider-credentials.js';
import { SecretsModule } from '../../secrets/secrets.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { WorkspaceContents } from '../../tenancy/workspace-contents.js';
import { ByokController } from './byok.controller.js';
import { ByokService } from './byok.service.js';

/** Lets a caller store, change and delete its own provider credentials. */
@Module({
  imports: [AuditModule, AuthModule, CatalogueModule, SecretsModule, TenancyModule],
  controllers: [ByokController],
  providers: [ByokService],
})
export class ByokModule {
  constructor(credentials: ProviderCredentials, contents: WorkspaceContents) {
    contents.register('provider credentials', (workspaceId, session) => credentials.countIn(workspaceId, session));
  }
}
