import { Injectable } from '@nestjs/common';
import { isSet, type Members } from '../../formats/members.js';
import { MESSAGES_BETA_HEADER, MESSAGES_VERSION_HEADER } from '../../kernel/wire-names.js';
import { CARRIER, withoutCarriers } from '../../formats/messages/carried-reasoning.js';
import { conversionRefusal } from '../../formats/messages/conversion-refusal.js';
import { measureMessages } from '../../formats/messages/measure.js';
import { MESSAGES_FORMAT } from '../../formats/messages/format.js';
import { requestedTier } from '../text/service-tiers.js';
import {
  FormatInference,
  parametersIn,
  streamFailure,
  type OwnMembers,
  type RequestTerms,
  type SentText,
} from './text-format.js';

/** The members of a request of `/messages` that the gateway itself reads, validated. */
export interface MessagesBody extends OwnMembers {
  readonly messages: readonly object[];
  readonly metadata?: { readonly user_id?: unknown } | null;
}

export type SentMessages = SentText<MessagesBody>;

/** Member of a request that endpoints may lack → the name of the parameter in the catalogue. */
const PARAMETERS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  stop_sequences: 'stop',
  tools: 'tools',
  tool_choice: 'tool_choice',
  thinking: 'reasoning',
};
const MODALITY_OF_BLOCK: ReadonlyMap<unknown, string> = new Map([
  ['image', 'image'],
  ['document', 'file'],
]);
/** Sources of documents that are text. */
const TEXT_SOURCES: ReadonlySet<unknown> = new Set(['text', 'content']);
const CARRIER_BYTES = Buffer.from(CARRIER);

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const joined = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header;

/** The headers that version the format. */
export const messagesHeaders = (headers: Headers): Pick<SentMessages, 'version' | 'betas'> => ({
  version: joined(headers[MESSAGES_VERSION_HEADER]),
  betas: joined(headers[MESSAGES_BETA_HEADER]),
});

/** The end of a stream that fails before its call has begun. */
export const messagesFailure = (model: string, error: unknown): Uint8Array =>
  streamFailure(MESSAGES_FORMAT, model, error);

/** Serves requests of the format of `/messages`. */
@Injectable()
export class MessagesInference extends FormatInference<MessagesBody> {
  protected override readonly format = MESSAGES_FORMAT;

  protected override termsOf({ body, bytes, members }: SentMessages): RequestTerms {
    const userId = body.metadata?.user_id;
    return {
      measure: measureMessages(members),
      parameters: () => parametersOf(members),
      modalities: modalitiesOf(body.messages),
      excludesReasoning: (members['thinking'] as { display?: unknown } | null | undefined)?.display === 'omitted',
      serviceTier: tierOf(members),
      conversionRefusal,
      user: body.user ?? (typeof userId === 'string' ? userId : undefined),
      replaced: bytes.includes(CARRIER_BYTES) ? { messages: withoutCarriers(body.messages) } : undefined,
    };
  }
}

/** `speed: "fast"` is the tier of the endpoints that have its price. */
const tierOf = ({ speed, service_tier: tier }: Members): string | undefined =>
  speed === 'fast' ? requestedTier(speed) : requestedTier(tier === 'standard_only' ? 'default' : tier);

function parametersOf(members: Members): string[] {
  const { disable_parallel_tool_use: isSerial } = (members['tool_choice'] ?? {}) as Members;
  const { format } = (members['output_config'] ?? {}) as Members;
  return [
    ...parametersIn(members, Object.keys(PARAMETERS)).map((name) => PARAMETERS[name]!),
    ...(isSerial === true ? ['parallel_tool_calls'] : []),
    ...(isSet(format) || isSet(members['output_format']) ? ['response_format', 'structured_outputs'] : []),
  ];
}

/** Input modalities of the messages, beside text; those of tools' results too. */
function modalitiesOf(messages: readonly object[]): string[] {
  const found = new Set<string>();
  const visit = (content: unknown): void => {
    if (!Array.isArray(content)) return;
    for (const block of content as readonly (Members | null)[]) {
      const modality = MODALITY_OF_BLOCK.get(block?.['type']);
      const { type: source } = (block?.['source'] ?? {}) as Members;
      if (modality !== undefined && !TEXT_SOURCES.has(source)) found.add(modality);
      if (block?.['type'] === 'tool_result') visit(block['content']);
    }
  };
  for (const { content } of messages as readonly { content?: unknown }[]) visit(content);
  return [...found];
}
