/** An object as a listing shows it. */
export interface StoredObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** When it was complete, by the store's own clock. */
  readonly storedAt: Date;
}

/** What was written, counted and hashed on the way. */
export interface PutReceipt {
  /** Bytes. */
  readonly size: number;
  /** SHA-256 as 64 lowercase hex characters. */
  readonly sha256: string;
}

/**
 * Bytes by key. Keys are ours, never a caller's text: segments of lowercase letters, digits and hyphens, joined by slashes. An
 * object is there whole or not at all, whatever dies meanwhile.
 */
export abstract class ObjectStore {
  /**
   * Resolves once the bytes are durable. Takes them as fast as it can write, so that memory stays flat. Where `bytes` throws, or the
   * writing fails, nothing is left and the error goes to the caller.
   */
  abstract put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<PutReceipt>;

  /** The bytes in order; undefined where there is no such object. */
  abstract get(key: string): Promise<AsyncIterable<Uint8Array> | undefined>;

  /** Deleting what is not there is no error. */
  abstract delete(key: string): Promise<void>;

  /** Every complete object, in no order. */
  abstract list(): AsyncIterable<StoredObject>;

  /** Removes what puts that never ended have left, where they wrote nothing since `before`; answers how many. */
  abstract discardUnfinished(before: Date): Promise<number>;
}

const KEY = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;

/** Whether a text has the form of a key; what lies in a store under another name is not ours. */
export const isObjectKey = (text: string): boolean => KEY.test(text);

/** Guards every driver: a key that is not of this form would be a defect of ours, and could be a path. */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new Error('not an object key');
}
