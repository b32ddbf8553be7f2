import { Injectable, Logger } from '@nestjs/common';
import { isDatabaseUnavailable } from '../../database/database-faults.js';
import { parseGenerationId } from '../../kernel/ids.js';
import { GenerationContents } from '../../usage/generation-contents.js';
import type { InferenceCall, Success } from '../attempts/attempts.js';
import type { Charge, TaskResponse } from '../task.js';
import { BoundedTexts } from './bounded-texts.js';
import { inputMessages, outputMessages } from './content-messages.js';

/** Maximum number of bytes of the texts of a request. The same maximum applies to the generated texts. */
const MAX_CONTENT_BYTES = 65_536;

/** The texts of calls whose key has `export_content`. */
@Injectable()
export class CallContents {
  readonly #log = new Logger('webhooks');

  constructor(private readonly contents: GenerationContents) {}

  /**
   * Stores the texts for the export of the call's record, before the record is written. Never rejects, so that the call
   * does not fail.
   */
  async keep({ call, attempt, response }: Success<TaskResponse>, charge: Charge): Promise<void> {
    try {
      const { accountNo } = call.context.caller;
      const content = contentOf(call, response, charge);
      await this.contents.keep(accountNo, parseGenerationId(attempt.generationId)!, content);
    } catch (error) {
      if (!isDatabaseUnavailable(error))
        this.#log.warn(`A record is exported without its content: ${(error as Error).message}`);
    }
  }
}

/** Members of an exported record. */
function contentOf({ task }: InferenceCall<TaskResponse>, response: TaskResponse, { finishReason }: Charge): object {
  const input = new BoundedTexts(MAX_CONTENT_BYTES);
  const output = new BoundedTexts(MAX_CONTENT_BYTES);
  return {
    input_messages: inputMessages(task.promptMembers?.() ?? {}, input),
    output_messages: outputMessages(task.generatedTexts?.(response) ?? [], finishReason, output),
    content_truncated: input.isTruncated || output.isTruncated,
  };
}
