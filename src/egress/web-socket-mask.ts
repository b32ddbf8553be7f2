import { Transform, type TransformCallback } from 'node:stream';
import { callbackify } from 'node:util';
import { SLICE_BYTES, type MaskWindow } from './masking/mask-window.js';
import type { SecretMatcher } from './masking/secret-matcher.js';
import { TimeSlices } from './masking/time-slices.js';

const FINAL = 0x80;
const RESERVED = 0x70;
const CONTINUATION = 0;
const TEXT = 1;
const BINARY = 2;
const FIRST_CONTROL = 8;
const CLOSE = 8;
const LAST_CONTROL = 10;
const MASKED = 0x80;
const MAX_CONTROL_BYTES = 125;
/** A larger frame is forwarded in fragments as it arrives. */
const MAX_WHOLE_FRAME_BYTES = 16_384;
/**
 * Maximum number of messages whose bytes are held back. Only a host that splits data into nearly empty messages exceeds
 * this number. Its connection is then closed.
 */
const MAX_WAITING_MESSAGES = 10_000;

interface Head {
  readonly isFinal: boolean;
  readonly opcode: number;
  readonly headBytes: number;
  readonly payloadBytes: number;
}

/** A message in progress. Positions are offsets in the concatenated payloads of all messages. */
interface Message {
  readonly opcode: number;
  hasBegun: boolean;
  /** Infinity until the final frame of the message has arrived. */
  end: number;
}

/**
 * Masks secrets in a host's WebSocket messages. Searches the payloads of all messages as one text, so that a secret is
 * found even if it is split across frames and messages. Writes the masked payloads in new frames. Searches each control
 * frame separately.
 */
export class WebSocketMask extends Transform {
  readonly #window: MaskWindow;
  readonly #taken = callbackify(() => this.#takeAll());
  /** Received bytes of an incomplete frame. */
  #pending: Buffer = Buffer.alloc(0);
  /** The long frame that is being forwarded as it arrives. */
  #streamed: { readonly isFinal: boolean; left: number } | undefined;
  readonly #messages: Message[] = [];
  #isInMessage = false;
  /** Payload bytes received. */
  #pushed = 0;

  constructor(private readonly matcher: SecretMatcher) {
    super();
    this.#window = matcher.newWindow();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#taken(done);
  }

  override _flush(done: TransformCallback): void {
    try {
      this.#emit(this.#window.end());
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  async #takeAll(): Promise<void> {
    const slices = new TimeSlices();
    while (await this.#takeSome(slices)) if (slices.isOver) await slices.pause();
  }

  /** False if more bytes are needed. */
  async #takeSome(slices: TimeSlices): Promise<boolean> {
    if (this.#streamed !== undefined) return this.#takeStreamed(this.#streamed, slices);
    const head = headOf(this.#pending);
    if (head === undefined) return false;
    const isLong = head.payloadBytes > MAX_WHOLE_FRAME_BYTES;
    if (!isLong && this.#pending.length < head.headBytes + head.payloadBytes) return false;
    const rest = this.#pending.subarray(head.headBytes);
    if (head.opcode >= FIRST_CONTROL) this.#passControl(head.opcode, rest.subarray(0, head.payloadBytes));
    else this.#begin(head.opcode);
    if (isLong) this.#streamed = { isFinal: head.isFinal, left: head.payloadBytes };
    else if (head.opcode < FIRST_CONTROL) await this.#take(rest.subarray(0, head.payloadBytes), head.isFinal, slices);
    this.#pending = isLong ? rest : rest.subarray(head.payloadBytes);
    return isLong || this.#pending.length > 0;
  }

  async #takeStreamed(frame: { readonly isFinal: boolean; left: number }, slices: TimeSlices): Promise<boolean> {
    if (this.#pending.length === 0) return false;
    const part = this.#pending.subarray(0, Math.min(frame.left, MAX_WHOLE_FRAME_BYTES));
    frame.left -= part.length;
    this.#pending = this.#pending.subarray(part.length);
    if (frame.left === 0) this.#streamed = undefined;
    await this.#take(part, frame.isFinal && frame.left === 0, slices);
    return this.#pending.length > 0;
  }

  #begin(opcode: number): void {
    if ((opcode === CONTINUATION) !== this.#isInMessage)
      throw new Error(
        'the host sent a continuation frame without a message, or a new message before the end of the previous one',
      );
    if (this.#messages.length > MAX_WAITING_MESSAGES)
      throw new Error('the host sent too many small messages that may contain parts of a secret');
    if (opcode !== CONTINUATION) this.#messages.push({ opcode, hasBegun: false, end: Number.POSITIVE_INFINITY });
    this.#isInMessage = true;
  }

  async #take(payload: Buffer, isEnd: boolean, slices: TimeSlices): Promise<void> {
    this.#pushed += payload.length;
    const settled: Buffer[] = [];
    for (let at = 0; at < payload.length; at += SLICE_BYTES) {
      settled.push(this.#window.push(payload.subarray(at, at + SLICE_BYTES)));
      if (slices.isOver) await slices.pause();
    }
    if (isEnd) {
      this.#isInMessage = false;
      this.#messages.at(-1)!.end = this.#pushed;
      // The other side may wait for this message before it sends another. After the end of a message, hold back only
      // likely starts of a secret.
      settled.push(this.#window.pause());
    }
    this.#emit(Buffer.concat(settled));
  }

  /** Writes frames for released payload and for the messages that end in it. */
  #emit(payload: Buffer): void {
    let place = this.#window.releasedBytes - payload.length;
    let rest = payload;
    for (let message = this.#messages[0]; message !== undefined; message = this.#messages[0]) {
      const part = rest.subarray(0, message.end - place);
      rest = rest.subarray(part.length);
      place += part.length;
      const isFinal = place === message.end;
      if (part.length === 0 && !isFinal) return;
      this.push(frameOf(isFinal, message.hasBegun ? CONTINUATION : message.opcode, part));
      message.hasBegun = true;
      if (!isFinal) return;
      this.#messages.shift();
    }
  }

  #passControl(opcode: number, payload: Buffer): void {
    // No data follows a close frame, so nothing needs to be held back.
    if (opcode === CLOSE) this.#emit(this.#window.end());
    const window = this.matcher.newWindow();
    this.push(frameOf(true, opcode, Buffer.concat([window.push(payload), window.end()])));
  }
}

/** Undefined if more bytes are needed. Throws for invalid frames, and for frames that could hide a secret. */
function headOf(bytes: Buffer): Head | undefined {
  if (bytes.length < 2) return undefined;
  const [first, second] = [bytes[0]!, bytes[1]!];
  const opcode = first & 0x0f;
  const isControl = opcode >= FIRST_CONTROL;
  const isKnown =
    opcode === CONTINUATION || opcode === TEXT || opcode === BINARY || (isControl && opcode <= LAST_CONTROL);
  if ((first & RESERVED) !== 0 || !isKnown)
    throw new Error('the host sends frames of an extension that was not negotiated');
  if ((second & MASKED) !== 0) throw new Error('the host sends masked frames');
  const short = second & 0x7f;
  const isFinal = (first & FINAL) !== 0;
  if (isControl && (short > MAX_CONTROL_BYTES || !isFinal))
    throw new Error('the host sends a control frame that is too long, or in fragments');
  const headBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < headBytes) return undefined;
  const payloadBytes = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { isFinal, opcode, headBytes, payloadBytes };
}

function frameOf(isFinal: boolean, opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = (isFinal ? FINAL : 0) | opcode;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}
