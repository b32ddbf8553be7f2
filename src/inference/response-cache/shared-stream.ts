import type { ByteOutlet } from '../../kernel/byte-outlet.js';
import { toGenerationId } from '../../kernel/ids.js';
import type { ResponseCache } from './response-cache.js';
import type { ServedCall } from './served-call.js';
import { SharedCall } from './shared-call.js';
import { stampOf, StampedBytes, type Stamp } from './stamped-bytes.js';

/** Maximum number of bytes by which the vendor may be ahead of a reader. `#isAhead` chooses the reader. */
const MAX_LEAD_BYTES = 1_048_576;
/** Minimum number of pieces to drop at once, because each removal moves the pieces after it. */
const MIN_DROPPED = 64;

/** The call of a reader that joined. This reader gets the stream with this id and time. */
interface ReadingCall {
  readonly generationId: string;
  readonly created: number;
}

interface Ending {
  /** Whether the call succeeded. */
  readonly isComplete: boolean;
  readonly bytes: Uint8Array;
}

/**
 * A stream for several readers. Each reader gets the whole stream, at its own speed. All pieces are kept for later
 * readers while the cache has space; after that, only the pieces that the slowest reader has not read.
 */
export class SharedStream extends SharedCall implements ByteOutlet {
  /** Set before the call is settled. */
  served: ServedCall | undefined;
  /** The changes to the request of the original call; set before the first byte. */
  adjusted: readonly string[] | undefined;
  /** The id of the generation of the original call. */
  id = '';
  readonly #started = Promise.withResolvers<void>();
  /** Resolves when the response has started; rejects if the call fails before that. */
  readonly started = this.#started.promise;
  readonly #ended = Promise.withResolvers<void>();
  readonly ended = this.#ended.promise;
  #changed = Promise.withResolvers<void>();
  #caughtUp: PromiseWithResolvers<void> | undefined;
  readonly #readers = new Set<StreamReader>();
  readonly #pieces: Uint8Array[] = [];
  /** The number of dropped pieces before the kept ones. */
  #dropped = 0;
  #bytes = 0;
  #isKept = true;
  #head: Uint8Array | undefined;
  #stamp: Stamp | undefined;
  #free: Uint8Array | undefined;
  #last: Uint8Array | undefined;

  constructor(
    /** Called when no more readers can join. */
    private readonly onClosed: () => void,
    private readonly cache: ResponseCache,
  ) {
    super(onClosed);
    this.started.catch(() => undefined);
  }

  /** Resolves at the next piece, and at the end. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  get isOpen(): boolean {
    return this.hasReaders;
  }

  /**
   * Adds a reader, which gets the stream from its start. Call it only while equal requests can join. `call`: absent for
   * the original call.
   */
  open(caller: AbortSignal, call?: ReadingCall): StreamReader {
    const reader: StreamReader = new StreamReader(this, caller, call);
    this.#readers.add(reader);
    return reader;
  }

  start(generationId: string): void {
    this.id = generationId;
    this.#started.resolve();
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

  /** Call it before `end`. `free`: the end of the stream for all readers except the original caller. */
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
    this.#started.reject(error);
    this.#close();
  }

  /** The whole stream, for later readers; undefined if it failed or was too large to store. */
  whole(): StampedBytes | undefined {
    if (!this.#isKept || !this.#free) return undefined;
    return this.#stamped(Buffer.concat([...this.#pieces, this.#free]));
  }

  /** Releases the bytes that the cache counts for the stream. No more readers can join. */
  release(): void {
    if (this.#isKept) this.#drop(0);
  }

  pieceAt(place: number): Uint8Array | undefined {
    return this.#pieces[place - this.#dropped];
  }

  /** The end of the stream for a reader; undefined while the stream continues, and if it was interrupted. */
  endingFor(call: ReadingCall | undefined): Ending | undefined {
    if (!this.#last) return undefined;
    const bytes = call ? this.renamed(this.#free ?? this.#last, call) : this.#last;
    return { isComplete: this.#free !== undefined, bytes };
  }

  renamed(piece: Uint8Array, { generationId, created }: ReadingCall): Uint8Array {
    return this.#stamped(piece).for(generationId, created);
  }

  /** Call it when a reader has read a piece or has disconnected. */
  moved(reader: StreamReader, hasLeft = false): void {
    if (hasLeft) this.#readers.delete(reader);
    if (!this.#isKept) this.#dropRead();
    if (!this.#caughtUp || this.#isAhead()) return;
    this.#caughtUp.resolve();
    this.#caughtUp = undefined;
  }

  #stamped(bytes: Uint8Array): StampedBytes {
    this.#stamp ??= stampOf(toGenerationId(this.id), this.#head ?? bytes);
    return new StampedBytes(bytes, this.#stamp);
  }

  #close(): void {
    this.finish();
    // No request joins a failed call from now on, so that a caller that retries makes a new call.
    if (!this.#free) this.onClosed();
    this.#wake();
    this.#ended.resolve();
  }

  #wake(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }

  /**
   * Whether the vendor must wait. It waits for the fastest reader while all pieces are kept, otherwise for the slowest.
   */
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
  /** Number of bytes in the pieces before it. */
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

  /** Resolves when the response has started. Rejects if the call fails or the caller disconnects before that. */
  async started(): Promise<void> {
    try {
      await Promise.race([this.stream.started, this.#gone.promise]);
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** The next piece, with the id and time of this reader's call; undefined if there is none yet. */
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
