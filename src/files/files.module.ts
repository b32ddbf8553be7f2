import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { FileSweeper } from './file-sweeper.js';
import { FileVerification } from './file-verification.js';
import { StoredFiles } from './stored-files.js';

/** Uploaded files: what they are, their rows and their bytes. */
@Module({
  imports: [StorageModule, TenancyModule],
  providers: [FileSweeper, FileVerification, StoredFiles],
  exports: [FileSweeper, FileVerification, StoredFiles],
})
export class FilesModule {}
