import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { Config } from '../config/config.js';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { AccessTokensModule } from './access-tokens.module.js';
import { ApplicationSweeper } from './application-sweeper.js';
import { AuthorizationCodes } from './authorization-codes.js';
import { CodeExchange } from './code-exchange.js';
import { GuardedIssuerDocuments } from './drivers/guarded-issuer-documents.driver.js';
import { FederationPolicies } from './federation-policies.js';
import { IssuerDocuments } from './issuer-documents.port.js';
import { IssuerKeys } from './issuer-keys.js';
import { SubjectTokens } from './subject-tokens.js';
import { TokenExchange } from './token-exchange.js';
import { UsedTokens } from './used-tokens.js';

/** Keys for other applications, and access tokens for workload identities. */
@Module({
  imports: [AccessTokensModule, AuditModule, AuthModule, TenancyModule],
  providers: [
    ApplicationSweeper,
    AuthorizationCodes,
    CodeExchange,
    FederationPolicies,
    IssuerKeys,
    SubjectTokens,
    TokenExchange,
    UsedTokens,
    {
      provide: IssuerDocuments,
      inject: [Config],
      useFactory: ({ values }: Config): IssuerDocuments =>
        new GuardedIssuerDocuments(values.FEDERATION_PRIVATE_ISSUERS),
    },
  ],
  exports: [AuthorizationCodes, CodeExchange, FederationPolicies, TokenExchange],
})
export class ApplicationsModule implements OnApplicationShutdown {
  constructor(private readonly documents: IssuerDocuments) {}

  async onApplicationShutdown(): Promise<void> {
    await this.documents.close();
  }
}
