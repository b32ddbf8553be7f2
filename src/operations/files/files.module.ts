import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { FilesModule } from '../../files/files.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { FilesController } from './files.controller.js';
import { FilesService } from './files.service.js';

/** Lets a management key upload files to a workspace, and list, read and delete them. */
@Module({
  imports: [AuditModule, FilesModule, TenancyModule],
  controllers: [FilesController],
  providers: [FilesService],
})
export class FileOperationsModule {}
