import type { LanguageModelV4TextPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { AssistantPart, ReasoningDetail } from '../../../formats/conversation.js';
import { mergeReasoningDetails } from '../../../formats/reasoning-details.js';
import type { SignatureNames } from './sdk-text-vendors.js';

type SdkOptions = LanguageModelV4TextPart['providerOptions'];

/** A part of an assistant's message with the options that carry its signature back to the vendor. */
export interface Signed {
  readonly part: Exclude<AssistantPart, { type: 'reasoning' }> | { readonly type: 'reasoning'; readonly text: string };
  readonly options?: SdkOptions;
}

/** The signatures and encrypted data of the vendor in a part of its response. */
export interface Marks {
  readonly signature?: string;
  readonly encrypted?: string;
}

export function marksOf(metadata: SharedV4ProviderMetadata | undefined, names: SignatureNames | undefined): Marks {
  const own = names && metadata?.[names.namespace];
  if (!own) return {};
  const text = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : own[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return { signature: text(names.signature), encrypted: text(names.encrypted) };
}

/**
 * The vendor's own reasoning in a message, then the other parts of the message. Other vendors' reasoning is left out,
 * because the vendor could not verify it. If the vendor signs parts, each entry of type `reasoning.encrypted` is a
 * signature: of the tool call whose id it has, otherwise of the text.
 */
export function signedParts(parts: readonly AssistantPart[], names: SignatureNames | undefined): Signed[] {
  const details = parts.flatMap((part) => (part.type === 'reasoning' ? part.details : []));
  const own = mergeReasoningDetails(details.filter(({ format }) => format === names?.format));
  const isMark = ({ type }: ReasoningDetail): boolean => type === 'reasoning.encrypted' && names?.signsParts === true;
  const callIds = new Set(parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])));
  const calls = new Map(own.filter((detail) => isMark(detail) && callIds.has(detail.id!)).map((d) => [d.id, d.data]));
  let textMark = own.findLast((detail) => isMark(detail) && !callIds.has(detail.id!))?.data;

  const signed: Signed[] = names ? own.flatMap((detail) => (isMark(detail) ? [] : reasoningOf(detail, names))) : [];
  for (const part of parts) {
    if (part.type === 'reasoning') continue;
    const mark = part.type === 'text' ? textMark : part.type === 'tool_call' ? calls.get(part.id) : undefined;
    if (part.type === 'text') textMark = undefined;
    signed.push({ part, options: mark === undefined ? undefined : optionsOf(names!, names!.signature, mark) });
  }
  // A signature may come with an empty text.
  if (textMark !== undefined)
    signed.push({ part: { type: 'text', text: '' }, options: optionsOf(names!, names!.signature, textMark) });
  return signed;
}

function reasoningOf(detail: ReasoningDetail, names: SignatureNames): Signed[] {
  if (detail.type === 'reasoning.encrypted') {
    if (names.encrypted === undefined || detail.data === undefined) return [];
    return [{ part: { type: 'reasoning', text: '' }, options: optionsOf(names, names.encrypted, detail.data) }];
  }
  const text = detail.text ?? detail.summary ?? '';
  const isSigned = detail.signature !== undefined && names.signature !== undefined;
  if (!isSigned && !names.takesUnsigned) return [];
  const options = isSigned ? optionsOf(names, names.signature, detail.signature) : undefined;
  return [{ part: { type: 'reasoning', text }, options }];
}

const optionsOf = (names: SignatureNames, member: string | undefined, value: string): SdkOptions => ({
  [names.namespace]: { [member!]: value },
});
