import type { SentChat } from '../../inference/capabilities/chat.js';
import type { ChatRequestBody } from './dto/chat.request.dto.js';

/** A chat request as it arrived, with its declared members. */
export interface SentRequest extends SentChat {
  readonly body: ChatRequestBody;
}
