import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import type { TextRequest } from '../../formats/client-format.js';
import { ModelNames } from '../model-names.js';
import type { InferenceContext } from '../task.js';
import { measureMessages } from '../../formats/messages/measure.js';
import { MESSAGES_FORMAT } from '../../formats/messages/format.js';
import { TokenCounter } from '../text/token-counter.js';
import { WorkAllowance } from '../text/work-allowance.js';
import { withoutSuffix } from './text-call.js';
import { TextInference } from './text.js';

/** The approximate number of tokens that vendors add for each message and for each tool. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_TOOL = 8;
/** The tokens of a picture at the size to which vendors scale pictures. */
const TOKENS_PER_IMAGE = 1_600;

interface CountedInput {
  readonly tokens: number;
  /** Whether `tokens` is an upper bound, because it contains the number of bytes of a part that was not counted. */
  readonly isBound: boolean;
}

/** Counts the input tokens of requests without generating text. A count is free and creates no generation. */
@Injectable()
export class InputTokenCounts {
  readonly #underWay = new Map<number, number>();
  readonly #allowance: WorkAllowance;

  constructor(
    private readonly text: TextInference,
    private readonly counter: TokenCounter,
    private readonly config: Config,
    private readonly names: ModelNames,
    clock: Clock,
  ) {
    this.#allowance = new WorkAllowance(config.values.COUNT_TOKENS_CPU_MS_PER_MINUTE, clock);
  }

  /**
   * The input tokens of a request. Throws not_found if none of its models is known. Throws rate_limited if the key has
   * too many counts running, or has used its CPU time.
   */
  async ofMessages(request: TextRequest, context: InferenceContext): Promise<CountedInput> {
    this.#assertKnown(request);
    const { keyNo } = context.caller;
    const underWay = this.#underWay.get(keyNo) ?? 0;
    const { COUNT_TOKENS_AT_ONCE: max, COUNT_TOKENS_FORWARDED: isForwarded } = this.config.values;
    if (underWay >= max)
      throw new GatewayError(
        'rate_limited',
        `This key is already counting tokens ${max} times at once: try again in a second`,
        { headers: { 'Retry-After': '1' } },
      );
    this.#underWay.set(keyNo, underWay + 1);
    try {
      const tokens = isForwarded ? await this.#ofVendor(request, context) : undefined;
      return tokens === undefined ? await this.#ofOwn(request, keyNo) : { tokens, isBound: false };
    } finally {
      const left = this.#underWay.get(keyNo)! - 1;
      if (left === 0) this.#underWay.delete(keyNo);
      else this.#underWay.set(keyNo, left);
    }
  }

  /** Throws not_found for the first name if no name is known. */
  #assertKnown({ model: named, models, format }: TextRequest): void {
    const { model } = withoutSuffix(named);
    const fallbacks = models.map((id) => withoutSuffix(id).model);
    const failures: unknown[] = [];
    for (const name of this.names.expanded(model, fallbacks) ?? [model, ...fallbacks])
      try {
        return void this.names.find(name, { capability: 'chat', format: format.name });
      } catch (error) {
        failures.push(error);
      }
    throw failures[0];
  }

  /** The count of a vendor. Also undefined if no endpoint accepts the request, so that the tokens are estimated. */
  async #ofVendor(request: TextRequest, context: InferenceContext): Promise<number | undefined> {
    try {
      return await this.text.count(request, context);
    } catch (error) {
      if (!(error instanceof GatewayError) || context.signal.aborted) throw error;
      return undefined;
    }
  }

  /** An estimate by the service's own thread. The thread's time is limited for each key. */
  async #ofOwn({ members }: TextRequest, keyNo: number): Promise<CountedInput> {
    const waitMs = this.#allowance.waitMs(keyNo);
    if (waitMs > 0) throw usedUp(Math.ceil(waitMs / 1000));
    const { messages, tools, images } = measureMessages(members);
    const { tokens, isBound, cpuMs } = await this.counter.count(MESSAGES_FORMAT.textsOf(members), 'estimate');
    this.#allowance.add(keyNo, cpuMs);
    const frame = TOKENS_PER_MESSAGE * messages + TOKENS_PER_TOOL * tools + TOKENS_PER_IMAGE * images;
    return { tokens: tokens + frame, isBound };
  }
}

const usedUp = (seconds: number): GatewayError =>
  new GatewayError(
    'rate_limited',
    `This key has used its CPU time for counting tokens: try again in ${seconds} seconds`,
    { headers: { 'Retry-After': String(seconds) } },
  );
