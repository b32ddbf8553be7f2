import { membersOf, type Members } from '../../../formats/members.js';
import type { ConversationCall } from '../../ports/text-adapter.port.js';
import type { VendorFormat, UsageFormat } from '../../../formats/vendor-text.js';
import {
  bedrockReasoning,
  claudeReasoning,
  cohereReasoning,
  geminiReasoning,
  isClaude,
  levelReasoning,
  type AdaptReasoning,
} from './sdk-reasoning.js';

/** The names under which a package stores the data that must be sent back to the vendor with its reasoning. */
export interface SignatureNames {
  /** The `format` of the entries of `reasoning_details`. */
  readonly format: string;
  /** The member of `providerMetadata` and of `providerOptions`. */
  readonly namespace: string;
  /** The member of the namespace with the signature of readable reasoning. Absent = there is no signature. */
  readonly signature?: string;
  /** The member of the namespace with unreadable reasoning. */
  readonly encrypted?: string;
  /** Whether texts and tool calls are signed, in addition to reasoning. */
  readonly signsParts?: boolean;
  /** Whether readable reasoning without a signature is sent back. */
  readonly takesUnsigned?: boolean;
}

/** The package-specific properties of text models. */
export interface SdkTextVendor {
  /** Formats in which requests are sent as bytes, without the package, to vendors of this package. Absent = none. */
  readonly formats?: readonly VendorFormat[];
  readonly signatures?: SignatureNames;
  readonly adaptReasoning: AdaptReasoning;
  /** The options for a part that ends a cached prefix. Absent = the package has no such options. */
  readonly cacheOptions?: (ttl: '5m' | '1h' | undefined) => Readonly<Record<string, Members>>;
  /** Whether a system message may come after other messages. Absent = false. */
  readonly takesLateSystem?: boolean;
  /** Whether the vendor bills the whole response even if the client disconnects. Absent = false. */
  readonly billsToTheEnd?: boolean;
  readonly usageFormat: UsageFormat;
  /**
   * Returns the usage reported up to this chunk of the vendor's stream. `soFar`: the usage reported before the chunk.
   */
  readonly usageOfChunk?: (chunk: Members, soFar: Members | undefined) => Members | undefined;
  /** Converts the package's report to the format named by `usageFormat`. */
  readonly usageOf?: (usage: Members) => unknown;
  /** Options of the package, except the options of reasoning. */
  readonly options?: (call: ConversationCall) => Members;
  /** Whether the model is called by `/chat/completions`. */
  readonly isChat?: boolean;
  /** The ids of tool calls that the vendor accepts. Other ids are replaced. Absent = all. */
  readonly toolIds?: RegExp;
  /**
   * Whether the package sets a maximum of output tokens itself if a request has none. Such a request gets the reserved
   * number of output tokens, because the maximum of the package may be lower or higher. Absent = false.
   */
  readonly needsMaximum?: (model: string) => boolean;
}

const rawOf = (usage: Members): unknown => usage.raw;

/**
 * The package's name for the service tier of the endpoint. If the endpoint has no tier, the name for the requested
 * tier, but only for `auto` and `default`. Undefined if the package has no name for the tier.
 */
function tier(tiers: Readonly<Record<string, string>>, call: ConversationCall): string | undefined {
  const { serviceTier: requested } = call.conversation;
  const isVendors = requested === 'auto' || requested === 'default';
  return tiers[call.serviceTier ?? (isVendors ? requested : '')];
}

const CLAUDE: SdkTextVendor = {
  signatures: {
    format: 'anthropic-claude-v1',
    namespace: 'anthropic',
    signature: 'signature',
    encrypted: 'redactedData',
  },
  adaptReasoning: claudeReasoning,
  cacheOptions: (ttl) => ({ anthropic: { cacheControl: { type: 'ephemeral', ...(ttl ? { ttl } : {}) } } }),
  needsMaximum: () => true,
  toolIds: /^[a-zA-Z0-9_-]+$/,
  usageFormat: 'messages',
  options: (call) => ({
    disableParallelToolUse: call.conversation.parallelToolCalls === false ? true : undefined,
    metadata: call.endUser === undefined ? undefined : { userId: call.endUser },
    serviceTier: tier({ auto: 'auto', default: 'standard_only' }, call),
  }),
};

const GEMINI: SdkTextVendor = {
  signatures: {
    format: 'google-gemini-v1',
    namespace: 'google',
    signature: 'thoughtSignature',
    signsParts: true,
    takesUnsigned: true,
  },
  adaptReasoning: geminiReasoning,
  billsToTheEnd: true,
  usageFormat: 'generate_content',
  usageOfChunk: ({ usageMetadata }, soFar) => (usageMetadata ? membersOf(usageMetadata) : soFar),
  usageOf: rawOf,
  options: (call) => ({
    responseModalities: call.conversation.modalities.includes('image') ? ['TEXT', 'IMAGE'] : undefined,
    serviceTier: tier({ default: 'standard', flex: 'flex', priority: 'priority' }, call),
  }),
};

/** The properties of text models, by package. */
export const SDK_TEXT_VENDORS: Readonly<Record<string, SdkTextVendor>> = {
  '@ai-sdk/amazon-bedrock': {
    signatures: {
      format: 'anthropic-claude-v1',
      namespace: 'amazonBedrock',
      signature: 'signature',
      encrypted: 'redactedContent',
    },
    adaptReasoning: bedrockReasoning,
    cacheOptions: (ttl) => ({ amazonBedrock: { cachePoint: { type: 'default', ...(ttl ? { ttl } : {}) } } }),
    billsToTheEnd: true,
    needsMaximum: isClaude,
    toolIds: /^[a-zA-Z0-9_-]{1,64}$/,
    usageFormat: 'v4',
    // The package reports the lifetimes of cache writes only in `cacheDetails`. Convert this list to `cache_creation`.
    usageOf: (usage) => {
      const raw = membersOf(usage.raw);
      if (!Array.isArray(raw.cacheDetails)) return usage;
      const written = (ttl: string): number =>
        (raw.cacheDetails as readonly unknown[])
          .map(membersOf)
          .reduce((sum, detail) => sum + (detail.ttl === ttl ? Number(detail.inputTokens) : 0), 0);
      const split = { ephemeral_5m_input_tokens: written('5m'), ephemeral_1h_input_tokens: written('1h') };
      return { ...usage, raw: { ...raw, cache_creation: split } };
    },
    options: (call) => ({
      serviceTier: tier({ default: 'default', flex: 'flex', priority: 'priority' }, call),
    }),
  },
  '@ai-sdk/anthropic': { ...CLAUDE, formats: ['messages'] },
  '@ai-sdk/azure': {
    adaptReasoning: levelReasoning,
    takesLateSystem: true,
    usageFormat: 'chat',
    usageOf: rawOf,
    options: (call) => ({
      parallelToolCalls: call.conversation.parallelToolCalls,
      user: call.endUser,
      serviceTier: tier({ auto: 'auto', default: 'default', flex: 'flex', priority: 'priority' }, call),
      textVerbosity: call.conversation.verbosity,
      promptCacheKey: call.conversation.promptCacheKey,
    }),
    isChat: true,
  },
  '@ai-sdk/cohere': {
    adaptReasoning: cohereReasoning,
    takesLateSystem: true,
    usageFormat: 'v4',
    // The vendor bills `billed_units`, which exclude the tokens that the vendor adds to a prompt.
    usageOf: (usage) => {
      const { input_tokens: input, output_tokens: output } = membersOf(membersOf(usage.raw).billed_units);
      if (input === undefined || output === undefined) return usage;
      return { ...usage, inputTokens: { total: input }, outputTokens: { total: output } };
    },
  },
  '@ai-sdk/google': GEMINI,
  '@ai-sdk/google-vertex': {
    ...GEMINI,
    signatures: { ...GEMINI.signatures!, namespace: 'googleVertex' },
    options: (call) => ({ responseModalities: GEMINI.options!(call).responseModalities }),
  },
  '@ai-sdk/google-vertex/anthropic': { ...CLAUDE, billsToTheEnd: true },
  '@ai-sdk/mistral': {
    signatures: { format: 'unknown', namespace: 'mistral', takesUnsigned: true },
    adaptReasoning: levelReasoning,
    takesLateSystem: true,
    billsToTheEnd: true,
    usageFormat: 'v4',
    options: (call) => ({
      parallelToolCalls: call.conversation.parallelToolCalls,
      promptCacheKey: call.conversation.promptCacheKey,
    }),
  },
  '@ai-sdk/xai': {
    signatures: { format: 'xai-responses-v1', namespace: 'xai', encrypted: 'reasoningEncryptedContent' },
    adaptReasoning: levelReasoning,
    takesLateSystem: true,
    usageFormat: 'responses',
    usageOf: rawOf,
    options: () => ({ store: false }),
  },
};

/** Vendors that can count the tokens of a request. */
export const COUNTS_TOKENS: ReadonlySet<string> = new Set(['anthropic']);

/** Vendors that bill the whole response even if the client disconnects, unlike other vendors of the same package. */
export const BILLS_TO_THE_END: ReadonlySet<string> = new Set([
  'minimax',
  'minimax-cn',
  'minimax-coding-plan',
  'minimax-cn-coding-plan',
]);
