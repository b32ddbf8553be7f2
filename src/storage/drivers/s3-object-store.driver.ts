import type { S3Client } from '@aws-sdk/client-s3';
import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertObjectKey, isObjectKey, ObjectStore, type PutReceipt, type StoredObject } from '../object-store.port.js';
import { Spool, type SpooledBytes } from './spool.js';

export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** Absent: Amazon's own. */
  readonly endpoint?: string;
  /** Absent: whatever the SDK finds by itself, such as the role of the machine. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** The bucket in the path instead of the host name, as self-hosted stores want it. */
  readonly forcePathStyle: boolean;
}

/** Everything of ours in the bucket lies below it. */
const PREFIX = 'files/';
const ATTEMPTS = 3;
const PAUSE_MS = 100;
/** What fails is thrown and told by whoever asked. */
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

type Sdk = typeof import('@aws-sdk/client-s3');

/**
 * Objects in a bucket. Bytes gather on the local disk first: a refused or broken upload never reaches the bucket, memory stays flat
 * whatever the number of uploads, and the object is sent by one PUT whose length and hash the store checks, which is there whole or
 * not at all and leaves no parts behind.
 */
export class S3ObjectStore extends ObjectStore {
  readonly #spool: Spool;
  #opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;

  constructor(
    private readonly settings: S3Settings,
    spoolFolder: string,
  ) {
    super();
    this.#spool = new Spool(spoolFolder);
  }

  async put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<PutReceipt> {
    assertObjectKey(key);
    const spooled = await this.#spool.gather(bytes);
    try {
      await this.#send(key, spooled);
    } finally {
      await this.#spool.discard(spooled.path);
    }
    return { size: spooled.size, sha256: spooled.sha256 };
  }

  async get(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    assertObjectKey(key);
    const { sdk, client } = await this.#open();
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand({ ...this.#at(key) }));
      return Body as AsyncIterable<Uint8Array> | undefined;
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return undefined;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    const { sdk, client } = await this.#open();
    await client.send(new sdk.DeleteObjectCommand(this.#at(key)));
  }

  async *list(): AsyncGenerator<StoredObject> {
    const { sdk, client } = await this.#open();
    for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: this.settings.bucket, Prefix: PREFIX })) {
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        const key = Key?.slice(PREFIX.length) ?? '';
        if (isObjectKey(key) && LastModified) yield { key, size: Size ?? 0, storedAt: LastModified };
      }
    }
  }

  discardUnfinished(before: Date): Promise<number> {
    return this.#spool.discardUnfinished(before);
  }

  /** The SDK repeats no streamed body, so this does, from the start of the file. */
  async #send(key: string, { path, size, sha256 }: SpooledBytes): Promise<void> {
    const { sdk, client } = await this.#open();
    for (let attempt = 1; ; attempt++) {
      const command = new sdk.PutObjectCommand({ ...this.#at(key), Body: createReadStream(path), ContentLength: size });
      // Signed as part of the request, so that the store refuses bytes that changed on the way.
      command.middlewareStack.add(
        (next) => (args) => {
          (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
          return next(args);
        },
        { step: 'build', name: 'contentHash' },
      );
      try {
        await client.send(command);
        return;
      } catch (error) {
        if (attempt === ATTEMPTS || !mayPass(error)) {
          // A PUT whose answer was lost may have arrived.
          await this.delete(key).catch(() => undefined);
          throw error;
        }
        await sleep(PAUSE_MS * attempt);
      }
    }
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.settings.bucket, Key: PREFIX + key };
  }

  /** On first use: the SDK takes longer to load than the rest of the service to start. */
  #open(): Promise<{ sdk: Sdk; client: S3Client }> {
    return (this.#opened ??= import('@aws-sdk/client-s3').then((sdk) => {
      const { region, endpoint, credentials, forcePathStyle } = this.settings;
      // Checksums beyond the signed hash are asked for by Amazon's newer SDKs only, and refused by many other stores.
      const client = new sdk.S3Client({
        region,
        endpoint,
        credentials,
        forcePathStyle,
        logger: SILENT,
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      });
      return { sdk, client };
    }));
  }
}

/** Whether the same request may succeed later: the store's own trouble, or a connection that broke. */
function mayPass(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return status === undefined || status >= 500 || status === 429;
}
