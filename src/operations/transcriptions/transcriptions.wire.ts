import { parseWithoutPrototypeMembers } from '../../kernel/text/prototype-members.js';
import type { FormFields } from '../../http/body/held-form.js';
import type { BilledResponse } from '../../inference/call.js';
import type { Transcript } from '../../inference/capabilities/transcription.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { TranscriptionResponse } from './dto/transcription.response.dto.js';

const TEXTS = ['model', 'language', 'response_format', 'session_id', 'user'] as const;
/** Any other text stays a text, which validation refuses. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);
const GRANULARITIES = 'timestamp_granularities';

/** Converts the text parts of a form to the members of a JSON body, for validation. An empty part counts as absent. */
export function fromTranscriptionForm(fields: FormFields): object {
  const last = (name: string): string | undefined => fields.get(name)?.at(-1) || undefined;
  const [temperature, stream, provider] = [last('temperature'), last('stream'), last('provider')];
  const granularities = [...(fields.get(`${GRANULARITIES}[]`) ?? []), ...(fields.get(GRANULARITIES) ?? [])];
  return {
    ...Object.fromEntries(TEXTS.flatMap((name) => (last(name) === undefined ? [] : [[name, last(name)]]))),
    ...(temperature === undefined ? {} : { temperature: Number(temperature) }),
    ...(stream === undefined ? {} : { stream: FLAGS.get(stream) ?? stream }),
    ...(provider === undefined ? {} : { provider: parsedProvider(provider) }),
    ...(granularities.length === 0 ? {} : { [GRANULARITIES]: granularities }),
  };
}

function parsedProvider(text: string): unknown {
  try {
    return parseWithoutPrototypeMembers(text);
  } catch {
    throw invalidRequest('provider must be JSON');
  }
}

export function toTranscriptionResponse(billed: BilledResponse<Transcript>): TranscriptionResponse {
  const { content, tokens, used, cost } = billed;
  const { prompt, completion } = tokens;
  const total = prompt + completion;
  return {
    ...content,
    usage: {
      ...(used.seconds === undefined ? {} : { seconds: used.seconds }),
      ...(total === 0 ? {} : { input_tokens: prompt, output_tokens: completion, total_tokens: total }),
      cost: nanoToUsd(cost),
    },
  };
}
