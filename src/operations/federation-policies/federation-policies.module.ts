import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../../applications/applications.module.js';
import { AuditModule } from '../../audit/audit.module.js';
import { FederationPoliciesController } from './federation-policies.controller.js';
import { FederationPoliciesService } from './federation-policies.service.js';

/** Lets an owner choose which workloads may act as which key, by the tokens of their issuers. */
@Module({
  imports: [ApplicationsModule, AuditModule],
  controllers: [FederationPoliciesController],
  providers: [FederationPoliciesService],
})
export class FederationPoliciesModule {}
