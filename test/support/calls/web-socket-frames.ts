/** A WebSocket frame from a server. */
export interface Frame {
  readonly isFinal: boolean;
  readonly opcode: number;
  readonly payload: Buffer;
}

export const TEXT = 1;
export const BINARY = 2;
export const CONTINUATION = 0;
export const CLOSE = 8;
export const PING = 9;

export function frame(opcode: number, payload: Buffer | string, isFinal = true): Buffer {
  const bytes = Buffer.from(payload);
  const head =
    bytes.length < 126
      ? Buffer.from([0, bytes.length])
      : bytes.length < 65_536
        ? Buffer.from([0, 126, bytes.length >> 8, bytes.length & 0xff])
        : Buffer.concat([Buffer.from([0, 127]), Buffer.alloc(8)]);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
  head[0] = (isFinal ? 0x80 : 0) | opcode;
  return Buffer.concat([head, bytes]);
}

/** The complete frames. */
export function framesOf(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const short = bytes[at + 1]! & 0x7f;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (at + head > bytes.length) break;
    const length =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    if (at + head + length > bytes.length) break;
    frames.push({
      isFinal: (bytes[at]! & 0x80) !== 0,
      opcode: bytes[at]! & 0x0f,
      payload: bytes.subarray(at + head, at + head + length),
    });
    at += head + length;
  }
  return frames;
}

/** The payloads of complete messages, with their fragments joined. */
export function messagesOf(frames: readonly Frame[]): { readonly opcode: number; readonly payload: Buffer }[] {
  const messages: { opcode: number; payload: Buffer }[] = [];
  let open: { opcode: number; parts: Buffer[] } | undefined;
  for (const { isFinal, opcode, payload } of frames) {
    if (opcode >= CLOSE) continue;
    open ??= { opcode, parts: [] };
    open.parts.push(payload);
    if (isFinal) messages.push({ opcode: open.opcode, payload: Buffer.concat(open.parts) });
    if (isFinal) open = undefined;
  }
  return messages;
}
