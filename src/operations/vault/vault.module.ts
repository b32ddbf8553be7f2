import { Module } from '@nestjs/common';
import { InternsModule } from '../../interns/interns.module.js';
import { VaultController } from './vault.controller.js';
import { VaultService } from './vault.service.js';

/** Lets members of the interns programme store secrets for a workspace or for one intern. */
@Module({ imports: [InternsModule], controllers: [VaultController], providers: [VaultService] })
export class VaultModule {}
