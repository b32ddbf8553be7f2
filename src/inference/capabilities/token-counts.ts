import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { GatewayError } from '../../kernel/errors.js';
import type { InferenceContext } from '../task.js';
import { measureMessages } from '../text/messages/measure-messages.js';
import { MESSAGES_FORMAT } from '../text/messages/messages-format.js';
import { TokenCounter } from '../text/token-counter.js';
import { MessagesInference, type SentMessages } from './messages.js';

/** What a vendor's frame around messages and tools takes, about. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_TOOL = 8;
/** A picture of the size that vendors scale pictures to. */
const TOKENS_PER_IMAGE = 1_600;

/** Counts the tokens of requests that are not sent. Free, and no generation. */
@Injectable()
export class TokenCounts {
  readonly #underWay = new Map<number, number>();

  constructor(
    private readonly messages: MessagesInference,
    private readonly counter: TokenCounter,
    private readonly config: Config,
  ) {}

  /** The input tokens of a request. Throws rate_limited where its key has too many counts under way. */
  async ofMessages(sent: SentMessages, context: InferenceContext): Promise<number> {
    const { keyNo } = sent.caller;
    const underWay = this.#underWay.get(keyNo) ?? 0;
    const { COUNT_TOKENS_AT_ONCE: max, COUNT_TOKENS_FORWARDED: isForwarded } = this.config.values;
    if (underWay >= max)
      throw new GatewayError('rate_limited', `This key counts tokens ${max} times at once: try again in a second`, {
        headers: { 'Retry-After': '1' },
      });
    this.#underWay.set(keyNo, underWay + 1);
    try {
      return (isForwarded ? await this.#ofVendor(sent, context) : undefined) ?? (await this.#ofOwn(sent.members));
    } finally {
      const left = this.#underWay.get(keyNo)! - 1;
      if (left === 0) this.#underWay.delete(keyNo);
      else this.#underWay.set(keyNo, left);
    }
  }

  /** A request that no endpoint takes is counted all the same. */
  async #ofVendor(sent: SentMessages, context: InferenceContext): Promise<number | undefined> {
    try {
      return await this.messages.count(sent, context);
    } catch (error) {
      if (!(error instanceof GatewayError) || context.signal.aborted) throw error;
      return undefined;
    }
  }

  /** An estimate, made in the service's own thread. */
  async #ofOwn(body: SentMessages['members']): Promise<number> {
    const { messages, tools, images } = measureMessages(body);
    const { tokens } = await this.counter.count(MESSAGES_FORMAT.textsOf(body));
    return tokens + TOKENS_PER_MESSAGE * messages + TOKENS_PER_TOOL * tools + TOKENS_PER_IMAGE * images;
  }
}
