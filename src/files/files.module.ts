import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { FileSweeper } from './file-sweeper.js';
import { FileVerification } from './file-verification.js';
import { ImageLinks } from './image-links.js';
import { StoredFiles } from './stored-files.js';

/** Uploaded files: rows, bytes and media types; and images with a URL. */
@Module({
  imports: [StorageModule, TenancyModule],
  providers: [FileSweeper, FileVerification, ImageLinks, StoredFiles],
  exports: [FileSweeper, FileVerification, ImageLinks, StoredFiles],
})
export class FilesModule {}
