import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { ByteOutlet } from '../../kernel/byte-outlet.js';
import { drained } from './drained.js';

const log = new Logger('http');

/**
 * Writes the body of a 200 response piece by piece. The headers are sent with the first bytes. If the first piece is
 * the whole body, the response has a Content-Length.
 */
export class ResponseOutlet implements ByteOutlet {
  constructor(
    private readonly response: Response,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  get isOpen(): boolean {
    return !this.response.destroyed;
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (!this.response.headersSent) this.response.writeHead(200, this.headers);
    return this.response.write(bytes) ? undefined : drained(this.response);
  }

  end(bytes: Uint8Array): void {
    if (!this.response.headersSent) this.response.writeHead(200, { ...this.headers, 'content-length': bytes.length });
    this.response.end(bytes);
  }

  cut(): void {
    // If the caller has disconnected, only the access log reports it.
    if (!this.response.destroyed) log.warn('The response was cut before its end');
    this.response.destroy();
  }
}
