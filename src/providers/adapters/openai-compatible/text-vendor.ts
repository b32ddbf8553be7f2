import type { TextFormat } from '../../../formats/vendor-text.js';

/** A credential of several strings: a JSON object in `<SLUG>_API_KEY` and in the `key` of a caller's own credential. */
export interface CredentialParts {
  /** The member that is sent as the key. */
  readonly key: string;
  /** Text members that the address is made of; one of them is required unless `<SLUG>_BASE_URL` is set. */
  readonly address: {
    /** A name that takes the place of `{}` in the template. */
    readonly name: string;
    readonly template: string;
    /** A whole https URL in place of the name, on a host with one of these endings. */
    readonly url: string;
    readonly hosts: readonly string[];
  };
}

/** How a vendor of text is reached. */
export interface VendorAccess {
  /** The provider slug of the catalogue. */
  readonly slug: string;
  /** Used unless `<SLUG>_BASE_URL` names another. */
  readonly baseUrl: string;
  /** The header that carries the credential, and what stands before it there. */
  readonly auth: { readonly header: string; readonly prefix: string };
  /** Absent = the credential is one string. */
  readonly credential?: CredentialParts;
  /** Absent = `/chat/completions` without peculiarities. */
  readonly text?: TextTraits;
  /** Whether `/embeddings` sends base64 on request. */
  readonly embedsBase64?: boolean;
}

/** How a vendor takes the reasoning settings of a request. */
export type ReasoningStyle =
  /** `reasoning_effort` with one of these words, in rising order; others are mapped to the nearest one. */
  | { readonly member: 'reasoning_effort'; readonly words: readonly string[] }
  /** `thinking: {type: "enabled" | "disabled"}`, with `budget_tokens` where `hasBudget`. */
  | { readonly member: 'thinking'; readonly hasBudget?: boolean }
  /** `enable_thinking`, and `thinking_budget` where `hasBudget`. */
  | { readonly member: 'enable_thinking'; readonly hasBudget?: boolean }
  /** `reasoning` as our own callers send it. */
  | { readonly member: 'reasoning' };

/** What tells a vendor's `/responses` from the common form. */
export interface ResponsesTraits {
  /** Models that it serves there only. */
  readonly only?: RegExp;
  readonly hasCompact?: boolean;
  /** Whether it takes functions in groups, as tools of type `namespace`. */
  readonly hasNamespaces?: boolean;
  /** The member that takes the hash of the end user. Default: `user`. */
  readonly endUser?: 'user' | 'safety_identifier';
  /** `format` of the entries of `reasoning_details` that go back to it. Default: `unknown`. */
  readonly reasoningFormat?: string;
  /** Members of ours, and of other formats, that it knows too. */
  readonly supported?: readonly string[];
}

/** Where a vendor's `/messages` is: at the base URL with another ending. */
export interface MessagesTraits {
  readonly ending: string;
  readonly becomes: string;
}

/** What tells a vendor's text generation from the common form. Every member has the common form as its default. */
export interface TextTraits {
  /** Formats that it takes as bytes. Default: chat. */
  readonly formats?: readonly TextFormat[];
  readonly responses?: ResponsesTraits;
  readonly messages?: MessagesTraits;
  /** The name of the output bound. Default: `max_tokens`. */
  readonly bound?: 'max_tokens' | 'max_completion_tokens';
  /** False: it refuses `stream_options`, and reports usage in streams without it, or never. */
  readonly hasStreamOptions?: boolean;
  /** Default: `reasoning_effort` as the caller sent it. */
  readonly reasoning?: ReasoningStyle;
  /** The member of an assistant message that holds its reasoning. Default: it takes none back. */
  readonly messageReasoning?: 'reasoning' | 'reasoning_content';
  /** Members of ours that it knows too. */
  readonly supported?: readonly string[];
  /** Members that it refuses or misreads. */
  readonly unsupported?: readonly string[];
  /** Members that it has under another name. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Types of parts whose http(s) URL the vendor fetches itself. Default: all but files. */
  readonly fetched?: readonly ('image_url' | 'video_url' | 'audio_url' | 'file')[];
  /** Takes ids of tool calls of exactly nine letters and digits. */
  readonly hasShortToolIds?: boolean;
  /** Bills a response to its end where its reader leaves. */
  readonly billsToTheEnd?: boolean;
}

export const BEARER = { header: 'authorization', prefix: 'Bearer ' };
