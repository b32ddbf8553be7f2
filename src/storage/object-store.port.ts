/** An object in a listing. */
export interface StoredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** When the object was completed, by the clock of the store. */
  readonly storedAt: Date;
}

/** The size and hash of a stored object. */
export interface PutReceipt {
  /** Bytes. */
  readonly size: number;
  /** SHA-256 as 64 lowercase hex characters. */
  readonly sha256: string;
}

/**
 * Stores objects by key. This service generates the keys and never takes them from a caller. A key consists of segments
 * of lowercase letters, digits and hyphens, joined by slashes. An object exists completely or not at all, even after a
 * crash.
 */
export abstract class ObjectStore {
  /**
   * Resolves when the bytes are durable. Applies backpressure, so memory use is constant. If `bytes` or the store
   * fails, nothing is stored and the error is thrown.
   */
  abstract put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<PutReceipt>;

  /** The bytes; undefined if there is no such object. */
  abstract get(key: string): Promise<AsyncIterable<Uint8Array> | undefined>;

  /** Deleting a missing object is not an error. */
  abstract delete(key: string): Promise<void>;

  /** All complete objects, unordered. `folder`: only objects whose key has this first segment. */
  abstract list(folder?: string): AsyncIterable<StoredObject>;

  /** Deletes the remains of unfinished uploads that were last written before `before`. Returns their number. */
  abstract discardUnfinished(before: Date): Promise<number>;
}

const KEY = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;

/** Whether a text has the form of a key. Other names in a store do not belong to this service. */
export const isObjectKey = (text: string): boolean => KEY.test(text);

/** Throws if a text is not a key. Every driver calls this, because any other text is a bug and could be a path. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new Error('not an object key');
}
