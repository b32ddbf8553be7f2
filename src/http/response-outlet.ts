import type { Response } from 'express';
import { drained } from './event-stream.js';

/**
 * The body of a 200 answer, written as it comes. The head leaves with the first bytes; an answer that is all there when
 * it begins leaves in one piece, with its length.
 */
export class ResponseOutlet {
  constructor(
    private readonly response: Response,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** False once the reader is gone. */
  get isOpen(): boolean {
    return !this.response.destroyed;
  }

  /** Undefined where more may be written at once; else resolves when the reader has caught up or left. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (!this.response.headersSent) this.response.writeHead(200, this.headers);
    return this.response.write(bytes) ? undefined : drained(this.response);
  }

  /** The last bytes. */
  end(bytes: Uint8Array): void {
    if (!this.response.headersSent) this.response.writeHead(200, { ...this.headers, 'content-length': bytes.length });
    this.response.end(bytes);
  }

  /** The reader sees an answer without an end. */
  cut(): void {
    this.response.destroy();
  }
}
