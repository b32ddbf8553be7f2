import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';

const PLAIN_HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** The public URL of the service, for links in responses. */
@Injectable()
export class PublicAddress {
  constructor(private readonly config: Config) {}

  /**
   * The URL without a trailing slash: PUBLIC_BASE_URL, or, if that is not set, a URL with the host of the Host header.
   */
  of(host: string | undefined): string {
    const { PUBLIC_BASE_URL, HOST, PORT } = this.config.values;
    return PUBLIC_BASE_URL ?? `http://${host !== undefined && PLAIN_HOST.test(host) ? host : `${HOST}:${PORT}`}`;
  }
}
