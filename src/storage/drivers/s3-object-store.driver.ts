import type { S3Client } from '@aws-sdk/client-s3';
import { handleWhen, IterableBackoff, retry } from 'cockatiel';
import { createReadStream } from 'node:fs';
import { assertObjectKey, isObjectKey, ObjectStore, type PutReceipt, type StoredObject } from '../object-store.port.js';
import { storeUnavailable } from '../store-unavailable.js';
import { Spool, unlinkIfThere, type SpooledBytes } from './spool.js';

interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** Default: Amazon S3. */
  readonly endpoint?: string;
  /** Default: the SDK's credential chain, such as the machine's role. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Whether the bucket is in the path instead of the host name, as self-hosted stores require. */
  readonly forcePathStyle: boolean;
  /** Maximum time without data from the store, in milliseconds. */
  readonly socketTimeoutMs?: number;
}

/** The prefix of all objects of this service in the bucket. */
const PREFIX = 'files/';
const RETRY_PAUSES_MS = [100, 200];
const CONNECT_TIMEOUT_MS = 3_000;
const SOCKET_TIMEOUT_MS = 15_000;
/** The SDK logs nothing, because the caller logs the errors that are thrown. */
const NO_LOG = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

type Sdk = typeof import('@aws-sdk/client-s3');

/**
 * Stores objects in a bucket. Uploads are spooled to the local disk and then sent by one PUT with length and hash.
 * Refused or broken uploads never reach the bucket, memory use is constant, and an object exists completely or not at
 * all.
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
      await unlinkIfThere(spooled.path);
    }
    return { size: spooled.size, sha256: spooled.sha256 };
  }

  async get(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    assertObjectKey(key);
    const { sdk, client } = await this.#open();
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand(this.#at(key)));
      return Body as AsyncIterable<Uint8Array> | undefined;
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return undefined;
      throw bucketFault(error);
    }
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    const { sdk, client } = await this.#open();
    try {
      await client.send(new sdk.DeleteObjectCommand(this.#at(key)));
    } catch (error) {
      throw bucketFault(error);
    }
  }

  async *list(folder?: string): AsyncGenerator<StoredObject> {
    const { sdk, client } = await this.#open();
    const Prefix = folder === undefined ? PREFIX : `${PREFIX}${folder}/`;
    try {
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket: this.settings.bucket, Prefix })) {
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          const key = Key?.slice(PREFIX.length) ?? '';
          if (isObjectKey(key) && LastModified) yield { key, size: Size ?? 0, storedAt: LastModified };
        }
      }
    } catch (error) {
      throw bucketFault(error);
    }
  }

  discardUnfinished(before: Date): Promise<number> {
    return this.#spool.discardUnfinished(before);
  }

  /** Sends a file. Retries here, with a new stream each time, because the SDK does not retry a streamed body. */
  async #send(key: string, { path, size, sha256 }: SpooledBytes): Promise<void> {
    const { sdk, client } = await this.#open();
    const put = (): Promise<unknown> => {
      const command = new sdk.PutObjectCommand({ ...this.#at(key), Body: createReadStream(path), ContentLength: size });
      // The hash is signed as part of the request, so that the store refuses bytes that were altered in transit.
      command.middlewareStack.add(
        (next) => (args) => {
          (args.request as { headers: Record<string, string> }).headers['x-amz-content-sha256'] = sha256;
          return next(args);
        },
        { step: 'build', name: 'contentHash' },
      );
      return client.send(command);
    };
    try {
      await RETRY_TRANSIENT.execute(put);
    } catch (error) {
      // A PUT without a response may still have succeeded. After a timeout a deletion would time out too, so the
      // sweeper deletes the object.
      if (!isTimeout(error)) await this.delete(key).catch(() => undefined);
      throw bucketFault(error);
    }
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.settings.bucket, Key: PREFIX + key };
  }

  /** Loads the SDK on first use, because it takes longer to load than the rest of the service takes to start. */
  #open(): Promise<{ sdk: Sdk; client: S3Client }> {
    return (this.#opened ??= import('@aws-sdk/client-s3').then((sdk) => {
      const { region, endpoint, credentials, forcePathStyle, socketTimeoutMs = SOCKET_TIMEOUT_MS } = this.settings;
      // By default, newer SDKs add checksums that many other stores refuse. The signed hash is sufficient.
      const client = new sdk.S3Client({
        region,
        endpoint,
        credentials,
        forcePathStyle,
        logger: NO_LOG,
        requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: socketTimeoutMs },
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      });
      return { sdk, client };
    }));
  }
}

function bucketFault(error: unknown): Error {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  return storeUnavailable(
    `the bucket of this service cannot be written or read (${code ?? (name === 'Error' ? message : name)})`,
    error,
  );
}

/** Whether an error is a timeout. The SDK also uses the name TimeoutError for reset and refused connections. */
function isTimeout(error: unknown): boolean {
  const { name, code } = error as { name?: string; code?: string };
  return name === 'TimeoutError' && (code === undefined || code === 'ETIMEDOUT');
}

/** Whether a retry may succeed, because the store failed temporarily or a connection was broken. */
function isTransient(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  if (isTimeout(error)) return false;
  return status === undefined || status >= 500 || status === 429;
}

const RETRY_TRANSIENT = retry(handleWhen(isTransient), {
  maxAttempts: RETRY_PAUSES_MS.length,
  backoff: new IterableBackoff(RETRY_PAUSES_MS),
});
