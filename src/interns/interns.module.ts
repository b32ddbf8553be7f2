import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { VaultsModule } from '../vaults/vaults.module.js';
import { CreationClaims } from './creation-claims.js';
import { CreationWitness } from './creation-witness.js';
import { InternCreation } from './intern-creation.js';
import { InternLife } from './intern-life.js';
import { NewInternRow } from './new-intern-row.js';
import { Programme } from './programme.js';

/** The life of interns: who may have them, how they are made, and what may happen to them. */
@Module({
  imports: [AuditModule, VaultsModule],
  providers: [CreationClaims, CreationWitness, InternCreation, InternLife, NewInternRow, Programme],
  exports: [InternCreation, InternLife, Programme, VaultsModule],
})
export class InternsModule {}
