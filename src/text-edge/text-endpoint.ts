import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { BilledStream } from '../billing/spending.js';
import type { SentBody } from '../formats/vendor-text.js';
import type { TextRequest } from '../formats/client-format.js';
import { bodyBytes } from '../http/body/body-reader.guard.js';
import { asGatewayError } from '../http/errors/error-envelope.js';
import { callHeaders } from '../http/reply/call-headers.js';
import { EventOutlet } from '../http/reply/event-outlet.js';
import { TextInference } from '../inference/capabilities/text.js';
import type { InferenceContext } from '../inference/task.js';
import { stackOf } from '../kernel/errors/errors.js';
import { currentRequest } from '../kernel/request-scope.js';
import { withoutTags } from './call-tags.js';

const log = new Logger('http');

/** The body of a request: its bytes, and its members without the tags. */
export const sentBody = (request: Request): SentBody =>
  withoutTags({ bytes: bodyBytes(request), members: request.body as SentBody['members'] });

const FILE_ID = 'file_id';
/** An escape sequence for a letter of `file_id`. */
const ESCAPED_LETTER = /\\u00(?:6[4569c]|5f)/i;
const ESCAPE = Buffer.from('\\u00');

/**
 * Whether a JSON text may have a member `file_id`, even one that JSON.parse drops because a second member with the same
 * name follows.
 */
const mentionsFileIds = (bytes: Buffer): boolean =>
  bytes.includes(FILE_ID) || (bytes.includes(ESCAPE) && ESCAPED_LETTER.test(bytes.toString('latin1')));

/**
 * Rewrites the member `name` from its checked value if the body contains file ids. If there are two members with this
 * name, a vendor may read the one that this service did not check.
 */
export const withoutHiddenFileIds = (sent: SentBody, name: string, checked: unknown): SentBody =>
  mentionsFileIds(sent.bytes) ? withRewritten(sent, name, checked) : sent;

/** The body with a new value for a member. */
export const withRewritten = (sent: SentBody, name: string, value: unknown): SentBody => ({
  ...sent,
  members: { ...sent.members, [name]: value },
  rewritten: [name],
});

/** Serves text requests in any client format. */
@Injectable()
export class TextEndpoint {
  constructor(private readonly text: TextInference) {}

  /**
   * Sends a complete response or a stream, as requested. Throws a failure that occurs before the head of the response
   * is sent.
   */
  async serve(request: TextRequest, context: InferenceContext, response: Response): Promise<void> {
    if (request.isStream) return this.#stream(request, context, response);
    const { content, generationId } = await this.text.complete(request, context);
    response.writeHead(200, {
      'x-generation-id': generationId,
      ...callHeaders(),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(content),
    });
    // Node writes a string and the headers in one system call.
    response.end(content);
  }

  /** A failure before the first byte becomes a status; a later failure becomes the last event. */
  async #stream(request: TextRequest, context: InferenceContext, response: Response): Promise<void> {
    const outlet = new EventOutlet(response);
    let stream: BilledStream;
    try {
      stream = await this.text.stream(request, context);
    } catch (thrown) {
      if (!outlet.hasStarted) {
        outlet.release();
        throw thrown;
      }
      const error = asGatewayError(thrown);
      if (!error) log.error(`A stream failed after it had started: ${stackOf(thrown)}`);
      outlet.end(failureOf(request, error));
      return;
    }
    try {
      await stream.deliver(outlet);
    } finally {
      outlet.release();
    }
  }
}

/** The events that end a stream whose call failed before the first byte of its response. */
const failureOf = ({ format, model }: TextRequest, error: unknown): Uint8Array =>
  format.failing(
    { id: currentRequest()?.generationId ?? '', model, provider: '', created: Math.floor(Date.now() / 1_000) },
    error,
  );
