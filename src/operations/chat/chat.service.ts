import { Injectable } from '@nestjs/common';
import type { BilledStream } from '../../billing/spending.js';
import type { BilledResponse } from '../../inference/call.js';
import { ChatInference } from '../../inference/capabilities/chat.js';
import type { InferenceContext } from '../../inference/task.js';
import { AttachedFiles } from './attached-files.js';
import { checkChat } from './chat-checks.js';
import type { SentRequest } from './sent-request.js';

/** The use cases of the group, in the order in which the API lists them. */
@Injectable()
export class ChatService {
  constructor(
    private readonly inference: ChatInference,
    private readonly files: AttachedFiles,
  ) {}

  /** A complete response; settled when the promise resolves. */
  async complete(sent: SentRequest, context: InferenceContext): Promise<BilledResponse<string>> {
    const ready = this.#ready(sent, context);
    const result = await this.inference.complete(ready instanceof Promise ? await ready : ready, context);
    return result;
  }

  /** A stream that has begun; its delivery settles it. */
  async stream(sent: SentRequest, context: InferenceContext): Promise<BilledStream> {
    const ready = this.#ready(sent, context);
    const stream = await this.inference.stream(ready instanceof Promise ? await ready : ready, context);
    return stream;
  }

  #ready(sent: SentRequest, context: InferenceContext): SentRequest | Promise<SentRequest> {
    checkChat(sent.body, sent.members);
    return this.files.attach(sent, context);
  }
}
