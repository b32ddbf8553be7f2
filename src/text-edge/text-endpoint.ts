import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { BilledStream } from '../billing/spending.js';
import type { SentBody } from '../formats/vendor-text.js';
import type { TextRequest } from '../formats/client-format.js';
import { bodyBytes } from '../http/body/body-reader.guard.js';
import { mentionsFileIds } from '../http/body/file-ids.js';
import { asGatewayError } from '../http/errors/error-envelope.js';
import { adjustedHeader } from '../http/reply/adjusted.header.js';
import { channelHeader } from '../http/reply/channel.header.js';
import { EventOutlet } from '../http/reply/event-outlet.js';
import { TextInference } from '../inference/capabilities/text.js';
import type { InferenceContext } from '../inference/task.js';
import { stackOf } from '../kernel/errors/errors.js';
import { currentRequest } from '../kernel/request-scope.js';
import { withoutTags } from './call-tags.js';

const log = new Logger('http');

/** The body of a request: its bytes, and all its members without its tags. */
export const sentBody = (request: Request): SentBody =>
  withoutTags({ bytes: bodyBytes(request), members: request.body as SentBody['members'] });

/**
 * The body whose member `name` is sent with the value that was checked, where it mentions ids of files: of two members
 * with one name, a vendor may read the one that this service does not.
 */
export const withoutHiddenFileIds = (sent: SentBody, name: string, checked: unknown): SentBody =>
  mentionsFileIds(sent.bytes) ? withRewritten(sent, name, checked) : sent;

/** The body with another value of a member. */
export const withRewritten = (sent: SentBody, name: string, value: unknown): SentBody => ({
  ...sent,
  members: { ...sent.members, [name]: value },
  rewritten: [name],
});

/** Serves requests of text in any client format. */
@Injectable()
export class TextEndpoint {
  constructor(private readonly text: TextInference) {}

  /** Sends a complete response or a stream, as the request says. Throws before the head of the response is sent. */
  async serve(request: TextRequest, context: InferenceContext, response: Response): Promise<void> {
    if (request.isStream) return this.#stream(request, context, response);
    const { content, generationId } = await this.text.complete(request, context);
    response.writeHead(200, {
      'x-generation-id': generationId,
      ...adjustedHeader(),
      ...channelHeader(),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(content),
    });
    // Node writes a string together with the headers, in one call.
    response.end(content);
  }

  /** A failure before the first byte gets a status; a later one is the last event. */
  async #stream(request: TextRequest, context: InferenceContext, response: Response): Promise<void> {
    const outlet = new EventOutlet(response);
    let stream: BilledStream;
    try {
      stream = await this.text.stream(request, context);
    } catch (thrown) {
      if (!outlet.begun) {
        outlet.release();
        throw thrown;
      }
      const error = asGatewayError(thrown);
      if (!error) log.error(`A stream that had begun failed: ${stackOf(thrown)}`);
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

/** The end of a stream whose call has not begun. */
const failureOf = ({ format, model }: TextRequest, error: unknown): Uint8Array =>
  format.failing(
    { id: currentRequest()?.generationId ?? '', model, provider: '', created: Math.floor(Date.now() / 1_000) },
    error,
  );
