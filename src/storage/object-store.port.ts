/** An object in a listing. */
export interface StoredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** When it was completed, by the store's clock. */
  readonly storedAt: Date;
}

/** What was written. */
export interface PutReceipt {
  /** Bytes. */
  readonly size: number;
  /** SHA-256 as 64 lowercase hex characters. */
  readonly sha256: string;
}

/**
 * Objects by key. Keys are generated here, never a caller's text: segments of lowercase letters, digits and hyphens,
 * joined by slashes. An object exists completely or not at all, even after a crash.
 */
export abstract class ObjectStore {
  /**
   * Resolves when the bytes are durable. Applies backpressure, so memory use is constant. If `bytes` or the store
   * fails, nothing is stored and the error is thrown.
   */
  abstract put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<PutReceipt>;

  /** The bytes; undefined if there is no such object. */
  abstract get(key: string): Promise<AsyncIterable<Uint8Array> | undefined>;

  /** Deleting a missing object is no error. */
  abstract delete(key: string): Promise<void>;

  /** All complete objects, unordered; with `folder` those whose key begins with this first segment. */
  abstract list(folder?: string): AsyncIterable<StoredObject>;

  /** Deletes the remains of unfinished puts that were last written before `before`; returns how many. */
  abstract discardUnfinished(before: Date): Promise<number>;
}

const KEY = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;

/** Whether a text has the form of a key; other names in a store belong to others. */
export const isObjectKey = (text: string): boolean => KEY.test(text);

/** Every driver checks its keys: another form would be a bug, and could be a path. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new Error('not an object key');
}
