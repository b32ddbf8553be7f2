import { Injectable } from '@nestjs/common';
import { COMPLETIONS_FORMAT } from '../../formats/completions/format.js';
import { measureCompletion } from '../../formats/completions/prompts.js';
import {
  FormatInference,
  parametersIn,
  SAMPLING_PARAMETERS,
  streamFailure,
  type OwnMembers,
  type RequestTerms,
  type SentText,
} from './text-format.js';

/** The members of a request of `/completions` that the gateway itself reads, validated. */
export interface CompletionRequestBody extends OwnMembers {
  readonly prompt: unknown;
}

export type SentCompletion = SentText<CompletionRequestBody>;

/** The end of a stream that fails before its call has begun. */
export const completionFailure = (model: string, error: unknown): Uint8Array =>
  streamFailure(COMPLETIONS_FORMAT, model, error);

/** Serves requests of `/completions`. */
@Injectable()
export class CompletionInference extends FormatInference<CompletionRequestBody> {
  protected override readonly format = COMPLETIONS_FORMAT;

  protected override termsOf({ members }: SentCompletion): RequestTerms {
    return {
      measure: measureCompletion(members),
      parameters: () => parametersIn(members, [...SAMPLING_PARAMETERS, 'logprobs']),
      modalities: [],
      excludesReasoning: false,
      serviceTier: undefined,
    };
  }
}
