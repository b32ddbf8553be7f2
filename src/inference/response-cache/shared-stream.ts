import type { ByteOutlet } from '../../kernel/byte-outlet.js';
import { toGenerationId } from '../../kernel/ids.js';
import type { ResponseCache } from './response-cache.js';
import type { ServedCall } from './served-call.js';
import { SharedCall } from './shared-call.js';
import { stampOf, StampedBytes, type Stamp } from './stamped-bytes.js';

/** How far the vendor may be ahead of its readers. */
const MAX_LEAD_BYTES = 1_048_576;
/** Pieces that are dropped at once, because each removal moves those behind. */
const MIN_DROPPED = 64;

/** The call of a reader that did not make the shared one: the stream is sent under its id and time. */
export interface ReadingCall {
  readonly generationId: string;
  readonly created: number;
}

interface Ending {
  /** Whether the call succeeded. */
  readonly isComplete: boolean;
  readonly bytes: Uint8Array;
}

/**
 * A stream that several readers get, each from its beginning and as fast as it reads. All of it is kept for readers to
 * come, as long as the cache has room; then only what the slowest reader still needs.
 */
export class SharedStream extends SharedCall implements ByteOutlet {
  /** Set before the call is settled. */
  served: ServedCall | undefined;
  /** The changes of its request; set before its first byte. */
  adjusted: readonly string[] | undefined;
  readonly #begun = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #changed = Promise.withResolvers<void>();
  #caughtUp: PromiseWithResolvers<void> | undefined;
  readonly #readers = new Set<StreamReader>();
  readonly #pieces: Uint8Array[] = [];
  /** Pieces before those. */
  #dropped = 0;
  #bytes = 0;
  #isKept = true;
  #id = '';
  #head: Uint8Array | undefined;
  #stamp: Stamp | undefined;
  #free: Uint8Array | undefined;
  #last: Uint8Array | undefined;

  constructor(
    /** No more readers can join. */
    private readonly onClosed: () => void,
    private readonly cache: ResponseCache,
  ) {
    super(onClosed);
    this.#begun.promise.catch(() => undefined);
  }

  /** The id of the generation of the call that is made. */
  get id(): string {
    return this.#id;
  }

  /** Resolves when the response has begun; rejects with the failure of a call that does not get so far. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** Resolves at the next piece, and at the end. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get isOpen(): boolean {
    return this.hasReaders;
  }

  /** Adds a reader from the beginning; only while equal requests may join. `call`: absent = the stream's own. */
  open(caller: AbortSignal, call?: ReadingCall): StreamReader {
    const reader: StreamReader = new StreamReader(this, caller, call);
    this.#readers.add(reader);
    return reader;
  }

  start(generationId: string): void {
    this.#id = generationId;
    this.#begun.resolve();
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    this.#head ??= bytes;
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
    if (this.#isKept && (this.#bytes > this.cache.maxEntryBytes || !this.cache.hold(bytes.length)))
      this.#drop(bytes.length);
    this.#wake();
    return this.#isAhead() ? (this.#caughtUp ??= Promise.withResolvers<void>()).promise : undefined;
  }

  /** The call is settled; called before `end`. `free`: the end for all but its caller. */
  settled(free: Uint8Array): void {
    this.#free = free;
  }

  end(bytes: Uint8Array): void {
    this.#last = bytes;
    this.#close();
  }

  cut(): void {
    this.#close();
  }

  fail(error: unknown): void {
    this.#begun.reject(error);
    this.#close();
  }

  /** All of a stream that succeeded, for readers to come; undefined where it was too large to keep. */
  whole(): StampedBytes | undefined {
    if (!this.#isKept || !this.#free) return undefined;
    return this.#stamped(Buffer.concat([...this.#pieces, this.#free]));
  }

  /** The cache counts the stream no longer, and no more readers join. */
  release(): void {
    if (this.#isKept) this.#drop(0);
  }

  pieceAt(place: number): Uint8Array | undefined {
    return this.#pieces[place - this.#dropped];
  }

  /** The end for a reader; undefined while the stream lasts, and where it was cut. */
  endingFor(call: ReadingCall | undefined): Ending | undefined {
    if (!this.#last) return undefined;
    const bytes = call ? this.renamed(this.#free ?? this.#last, call) : this.#last;
    return { isComplete: this.#free !== undefined, bytes };
  }

  renamed(piece: Uint8Array, { generationId, created }: ReadingCall): Uint8Array {
    return this.#stamped(piece).for(generationId, created);
  }

  /** A reader has read a piece, or has left. */
  moved(reader: StreamReader, hasLeft = false): void {
    if (hasLeft) this.#readers.delete(reader);
    if (!this.#isKept) this.#dropRead();
    if (!this.#caughtUp || this.#isAhead()) return;
    this.#caughtUp.resolve();
    this.#caughtUp = undefined;
  }

  #stamped(bytes: Uint8Array): StampedBytes {
    this.#stamp ??= stampOf(toGenerationId(this.#id), this.#head ?? bytes);
    return new StampedBytes(bytes, this.#stamp);
  }

  #close(): void {
    this.finish();
    // Its call may take a moment longer to be released: a caller that tries again makes a call of its own.
    if (!this.#free) this.onClosed();
    this.#wake();
    this.#ended.resolve();
  }

  #wake(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }

  /** Whether the vendor has to wait: for the fastest reader while all is kept, else for the slowest. */
  #isAhead(): boolean {
    if (this.#readers.size === 0) return false;
    const read = Array.from(this.#readers, ({ bytes }) => bytes);
    return this.#bytes - (this.#isKept ? Math.max(...read) : Math.min(...read)) > MAX_LEAD_BYTES;
  }

  /** `uncounted`: bytes that the cache did not accept. */
  #drop(uncounted: number): void {
    this.#isKept = false;
    this.onClosed();
    this.cache.release(this.#bytes - uncounted);
    this.#dropRead();
  }

  #dropRead(): void {
    const next = Math.min(...Array.from(this.#readers, ({ place }) => place));
    const read = Math.min(next - this.#dropped, this.#pieces.length);
    if (read < MIN_DROPPED && read < this.#pieces.length) return;
    this.#pieces.splice(0, read);
    this.#dropped += read;
  }
}

/** One reader of a shared stream. */
export class StreamReader {
  /** Index of the next piece. */
  place = 0;
  /** Bytes of the pieces before it. */
  bytes = 0;
  readonly #leave: () => void;
  readonly #gone = Promise.withResolvers<never>();

  constructor(
    private readonly stream: SharedStream,
    caller: AbortSignal,
    private readonly call?: ReadingCall,
  ) {
    this.#gone.promise.catch(() => undefined);
    this.#leave = stream.enter(caller, () => this.#gone.reject(caller.reason as Error));
  }

  /** Rejects with the failure of a call that does not begin, and when the caller leaves. */
  async begun(): Promise<void> {
    try {
      await Promise.race([this.stream.begun, this.#gone.promise]);
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** The next piece as this reader gets it; undefined where there is none yet. */
  next(): Uint8Array | undefined {
    const piece = this.stream.pieceAt(this.place);
    if (!piece) return undefined;
    this.place++;
    this.bytes += piece.length;
    this.stream.moved(this);
    return this.call ? this.stream.renamed(piece, this.call) : piece;
  }

  get ending(): Ending | undefined {
    return this.stream.endingFor(this.call);
  }

  leave(): void {
    this.#leave();
    this.stream.moved(this, true);
  }
}
