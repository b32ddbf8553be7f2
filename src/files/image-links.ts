import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { Config } from '../config/config.js';
import { Clock } from '../kernel/clock.js';
import { GatewayError } from '../kernel/errors/errors.js';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { DataFolder } from '../storage/data-folder.js';
import { ObjectStore } from '../storage/object-store.port.js';

const LIFETIME_SECONDS = 3_600;
const SWEEP_EVERY_MS = 600_000;
const SECRET_BYTES = 32;
/** The prefix of the object keys of images. The keys of uploaded files start with the id of an account. */
const FOLDER = 'links';
const KEY = new RegExp(`^${FOLDER}/(\\d+)-[0-9a-f]{64}$`);
const NAME = /^(\d{10})-[0-9a-f]{64}\.([a-z]{3,4})$/;

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['avif', 'image/avif'],
  ['heic', 'image/heic'],
  ['svg', 'image/svg+xml'],
  ['bin', 'application/octet-stream'],
]);
const EXTENSIONS = new Map([...MEDIA_TYPES].map(([extension, mediaType]) => [mediaType, extension]));

export interface LinkedImage {
  readonly mediaType: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly secondsLeft: number;
}

/**
 * Images that anyone who knows their name may read for an hour. A name contains the expiry, 256 random bits and the
 * media type. The key in the object store contains the hash of the whole name, so that no part of a name can be
 * changed, and a listing of the store reveals no name. There is no record in the database. Every replica with the same
 * store finds the image.
 */
@Injectable()
export class ImageLinks implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(ImageLinks.name);
  readonly #rounds = new Periodic(
    () => this.sweep(),
    (error) => this.#log.warn(`The sweep of image links failed and will be retried: ${error.message}`),
  );
  #counted: Promise<void> | undefined;
  #heldBytes = 0;
  /** Total size of the images that this process has stored, including deleted ones. */
  #addedBytes = 0;

  constructor(
    private readonly store: ObjectStore,
    private readonly folder: DataFolder,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.#rounds.start(SWEEP_EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#rounds.stop();
  }

  /** Throws if no further image can be stored, because the store is unavailable or full. */
  async assertRoom(): Promise<void> {
    await this.folder.assertPresent();
    await (this.#counted ??= this.sweep().catch((error: unknown) => {
      this.#counted = undefined;
      throw error;
    }));
    if (this.#isFull())
      throw new GatewayError(
        'rate_limited',
        'The storage for images with a URL is full: request response_format b64_json, or try again later',
        { headers: { 'Retry-After': String(SWEEP_EVERY_MS / 1_000) } },
      );
  }

  /** Stores an image for an hour and returns its name; undefined if it could not be stored. */
  async keep(bytes: AsyncIterable<Uint8Array>, mediaType: string | undefined): Promise<string | undefined> {
    if (this.#isFull()) return undefined;
    const expiry = this.#now() + LIFETIME_SECONDS;
    const extension = EXTENSIONS.get(mediaType ?? '') ?? 'bin';
    const name = `${expiry}-${randomBytes(SECRET_BYTES).toString('hex')}.${extension}`;
    try {
      const { size } = await this.store.put(keyOf(name, expiry), bytes);
      this.#heldBytes += size;
      this.#addedBytes += size;
      return name;
    } catch (error) {
      this.#log.error(
        `An image could not be stored: ${((error as Error).cause as Error | undefined)?.message ?? String(error)}`,
      );
      return undefined;
    }
  }

  /** Undefined if the name is invalid or expired, or if its image no longer exists. */
  async open(name: string): Promise<LinkedImage | undefined> {
    const [, digits, extension = ''] = NAME.exec(name) ?? [];
    const secondsLeft = Number(digits) - this.#now();
    const mediaType = MEDIA_TYPES.get(extension);
    if (mediaType === undefined || secondsLeft <= 0 || secondsLeft > LIFETIME_SECONDS) return undefined;
    const bytes = await this.store.get(keyOf(name, Number(digits)));
    return bytes && { mediaType, bytes, secondsLeft };
  }

  /** Deletes expired images, and adds up the sizes of the others. */
  async sweep(): Promise<void> {
    const addedBefore = this.#addedBytes;
    const now = this.#now();
    let held = 0;
    for await (const { key, size } of this.store.list(FOLDER)) {
      const expiry = KEY.exec(key)?.[1];
      if (expiry !== undefined && Number(expiry) <= now) await this.store.delete(key);
      else held += size;
    }
    // An image that was added meanwhile may be counted twice, until the next sweep.
    this.#heldBytes = held + this.#addedBytes - addedBefore;
  }

  #isFull(): boolean {
    return this.#heldBytes >= this.config.values.IMAGE_URL_LIMIT_BYTES;
  }

  #now(): number {
    return Math.floor(this.clock.now().getTime() / 1_000);
  }
}

const keyOf = (name: string, expiry: number): string =>
  `${FOLDER}/${expiry}-${createHash('sha256').update(name).digest('hex')}`;
