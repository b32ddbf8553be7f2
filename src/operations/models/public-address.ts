import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';

const PLAIN_HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Where callers reach the service, for links in answers. */
@Injectable()
export class PublicAddress {
  constructor(private readonly config: Config) {}

  /** Without a trailing slash. The host that the request names stands in where PUBLIC_BASE_URL is not set. */
  of(host: string | undefined): string {
    const { PUBLIC_BASE_URL, HOST, PORT } = this.config.values;
    return PUBLIC_BASE_URL ?? `http://${host !== undefined && PLAIN_HOST.test(host) ? host : `${HOST}:${PORT}`}`;
  }
}
