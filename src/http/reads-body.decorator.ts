import { SetMetadata } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config/config.js';

export const BODY_METADATA = 'gatehouse:body';

/** How a route's body is read. */
export interface BodyRule {
  /** Largest body in bytes; a function reads it from the configuration. */
  readonly cap: number | ((config: Config) => number);
  /** `json` is parsed into request.body; `stream` is left to the handler; `none` refuses any field. */
  readonly as: 'json' | 'stream';
  /** Answers a wrong content type: 415 on intern writes, 400 elsewhere (wire-notes section 2). */
  readonly wrongType?: 'unsupported_media_type' | 'invalid_request';
  /** An empty body is read as no fields at all instead of being refused. */
  readonly mayBeEmpty?: boolean;
  /** The group has guards of its own, which come first: it lists GroupBodyReaderGuard after them. */
  readonly afterGroupGuards?: boolean;
  /** A body that is not there after so long is refused (408); default: the caller may take its time. */
  readonly withinMs?: number;
  /** Judges headers after the size of the body and before its contents; throws a GatewayError. */
  readonly judgesHeaders?: (headers: IncomingHttpHeaders) => void;
}

export const DEFAULT_BODY: BodyRule = { cap: 1_048_576, as: 'json' };

/** Sets how a route reads its body, where the default (JSON, 1 MiB) does not fit. */
export const ReadsBody = (rule: Partial<BodyRule>): MethodDecorator & ClassDecorator =>
  SetMetadata(BODY_METADATA, { ...DEFAULT_BODY, ...rule });
