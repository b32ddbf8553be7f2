import { SetMetadata } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../config/config.js';
import type { FormFields } from './held-form.js';

export const BODY_METADATA = 'gatehouse:body';

/** How a route's body is read. */
export interface BodyRule {
  /** Maximum size of the body in bytes. A function reads it from the configuration. */
  readonly cap: number | ((config: Config) => number);
  /**
   * A body of type `json` or `urlencoded` (application/x-www-form-urlencoded) is parsed into request.body. The handler
   * reads a body of type `stream` itself.
   */
  readonly as: 'json' | 'urlencoded' | 'stream';
  /** The error for a wrong content type: 415 on intern writes, 400 elsewhere (docs/api-rules.md, section 2). */
  readonly wrongType?: 'unsupported_media_type' | 'invalid_request';
  /**
   * If set, the route also accepts a multipart/form-data body, which is read into memory. The function converts the
   * text parts to the value of request.body. `formFiles` returns the files.
   */
  readonly fromForm?: (fields: FormFields) => object;
  /** Whether the bytes of a JSON body are kept in addition to the parsed object (`bodyBytes`). */
  readonly keepsBytes?: boolean;
  /** An empty body is parsed as `{}` instead of being refused. */
  readonly mayBeEmpty?: boolean;
  /**
   * Whether GroupBodyReaderGuard reads the body. Set it if the group has its own guards, and list GroupBodyReaderGuard
   * after them.
   */
  readonly afterGroupGuards?: boolean;
  /** A body that has not arrived after this time in milliseconds is refused with 408. Default: no limit. */
  readonly withinMs?: number;
  /** Checks the headers after the body was read and before it is parsed. Throws a GatewayError. */
  readonly checkHeaders?: (headers: IncomingHttpHeaders) => void;
}

export const DEFAULT_BODY: BodyRule = { cap: 1_048_576, as: 'json' };

/** The body of a text request, whose bytes may be forwarded to the provider unchanged. */
export const TEXT_BODY = {
  cap: (config: Config): number => config.values.CHAT_BODY_LIMIT_BYTES,
  keepsBytes: true,
} as const satisfies Partial<BodyRule>;

/** Sets how a route reads its body if the default (JSON, 1 MiB) does not fit. */
export const ReadsBody = (rule: Partial<BodyRule>): MethodDecorator & ClassDecorator =>
  SetMetadata(BODY_METADATA, { ...DEFAULT_BODY, ...rule });
