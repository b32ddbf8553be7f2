import { Module } from '@nestjs/common';
import { join } from 'node:path';
import { Config } from '../config/config.js';
import { LocalObjectStore } from './drivers/local-object-store.driver.js';
import { S3ObjectStore } from './drivers/s3-object-store.driver.js';
import { DataFolder } from './data-folder.js';
import { ObjectStore } from './object-store.port.js';

/** Object storage: the bucket S3_BUCKET or, if it is not set, DATA_DIR. */
@Module({
  providers: [
    { provide: ObjectStore, inject: [Config], useFactory: openStore },
    { provide: DataFolder, inject: [Config], useFactory: ({ values }: Config) => new DataFolder(values.DATA_DIR) },
  ],
  exports: [DataFolder, ObjectStore],
})
export class StorageModule {}

function openStore({ values }: Config): ObjectStore {
  const folder = join(values.DATA_DIR, 'files');
  if (values.S3_BUCKET === undefined) return new LocalObjectStore(folder);
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
  return new S3ObjectStore(
    {
      bucket: values.S3_BUCKET,
      region: values.S3_REGION,
      endpoint: values.S3_ENDPOINT,
      credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
      forcePathStyle: values.S3_FORCE_PATH_STYLE ?? values.S3_ENDPOINT !== undefined,
    },
    join(folder, 'incoming'),
  );
}
