import type { VendorFormat } from '../../../formats/vendor-text.js';
import type { CredentialHeader } from '../../wire/vendor-request.js';
import { NOTHING_FETCHED, type FetchedPart } from '../inline-media.js';

/** A credential of several strings: a JSON object in `<SLUG>_API_KEY` and in the `key` of a caller's own credential. */
export interface CredentialParts {
  /** The member that is sent as the key. */
  readonly key: string;
  /** The members that form the address. One of them is required unless `<SLUG>_BASE_URL` is set. */
  readonly address: {
    /** The member with a name, which replaces `{}` in the template. */
    readonly name: string;
    readonly template: string;
    /** The member with a whole https URL, which replaces the name. Its host must end with one of `hosts`. */
    readonly url: string;
    readonly hosts: readonly string[];
  };
}

/** One OpenAI-compatible vendor. All differences between vendors are defined in the rows of this type. */
export interface CompatibleVendor {
  /** The provider slug of the catalogue. */
  readonly slug: string;
  /** The vendor's address, which is used unless `<SLUG>_BASE_URL` is set. */
  readonly baseUrl: string;
  /** Absent = the credential is a bearer token. */
  readonly auth?: CredentialHeader;
  /** Absent = the credential is one string. */
  readonly credential?: CredentialParts;
  /** Absent = `/chat/completions` without special rules. */
  readonly text?: TextTraits;
  /** Whether `/embeddings` sends base64 on request. */
  readonly embedsBase64?: boolean;
  /**
   * Whether `response_format: "b64_json"` is sent for pictures, because the vendor otherwise returns URLs. Other
   * vendors refuse this member.
   */
  readonly requestsBase64?: boolean;
  /** Members of image and speech requests that the vendor refuses or misreads. */
  readonly unsupported?: readonly string[];
}

/** The form in which a vendor accepts the reasoning settings of a request. */
export type ReasoningStyle =
  /** `reasoning_effort` with one of these words, in rising order. Other efforts are mapped to the nearest word. */
  | { readonly member: 'reasoning_effort'; readonly words: readonly string[] }
  /** `thinking: {type: "enabled" | "disabled"}`, with `budget_tokens` if `hasBudget`. */
  | { readonly member: 'thinking'; readonly hasBudget?: boolean }
  /** `enable_thinking`, and `thinking_budget` if `hasBudget`. */
  | { readonly member: 'enable_thinking'; readonly hasBudget?: boolean }
  /** `reasoning` in the form of this service's API. */
  | { readonly member: 'reasoning' };

/** The differences of a vendor's `/responses` from the common form. */
interface ResponsesTraits {
  /** Models that the vendor serves only by `/responses`. */
  readonly only?: RegExp;
  readonly hasCompact?: boolean;
  /** Whether the vendor accepts functions in groups, as tools of type `namespace`. */
  readonly hasNamespaces?: boolean;
  /** The member for the hash of the end user. Default: `user`. */
  readonly endUser?: 'user' | 'safety_identifier';
  /** The `format` of the entries of `reasoning_details` that are sent back to the vendor. Default: `unknown`. */
  readonly reasoningFormat?: string;
  /** Members of this service's API, and of other formats, that the vendor also supports. */
  readonly supported?: readonly string[];
}

/** The address of a vendor's `/messages` is the base URL in which `becomes` replaces `ending`. */
interface MessagesTraits {
  readonly ending: string;
  readonly becomes: string;
}

/** The differences of a vendor's text generation from the common form. An absent member means the common form. */
export interface TextTraits {
  /** Formats in which requests are sent to the vendor as bytes. Default: chat. */
  readonly formats?: readonly VendorFormat[];
  readonly responses?: ResponsesTraits;
  readonly messages?: MessagesTraits;
  /** The name of the output bound. Default: `max_tokens`. */
  readonly bound?: 'max_tokens' | 'max_completion_tokens';
  /** False: the vendor refuses `stream_options`, and reports the usage of streams without this member or never. */
  readonly hasStreamOptions?: boolean;
  /** Default: `reasoning_effort` as the caller sent it. */
  readonly reasoning?: ReasoningStyle;
  /** The member of an assistant message that holds its reasoning. Default: no reasoning is sent back. */
  readonly messageReasoning?: 'reasoning' | 'reasoning_content';
  /** Members of this service's API that the vendor also supports. */
  readonly supported?: readonly string[];
  /** Members that the vendor refuses or misreads. */
  readonly unsupported?: readonly string[];
  /** The vendor's own names of members, by the common name. */
  readonly renamed?: Readonly<Record<string, string>>;
  /**
   * Types of parts of the chat format whose http(s) URL the vendor fetches itself. Empty = the vendor gets no URL in
   * any format. Default: all types except `file`.
   */
  readonly fetched?: readonly FetchedPart[];
  /** Whether ids of tool calls must have exactly nine letters and digits. */
  readonly hasShortToolIds?: boolean;
  /** Whether the vendor bills the whole response even if the client disconnects. */
  readonly billsToTheEnd?: boolean;
}

/** A vendor without special rules. */
export const COMMON_FORM: TextTraits = {};

/** Values of `service_tier` that let the vendor choose the tier. */
export const TIERS_OF_VENDOR: ReadonlySet<unknown> = new Set(['auto', 'default', null]);

/** A function whose result is computed once for each vendor. */
export function perVendor<T extends object>(compute: (traits: TextTraits) => T): (traits: TextTraits) => T {
  const results = new WeakMap<TextTraits, T>();
  return (traits) => {
    let result = results.get(traits);
    if (!result) results.set(traits, (result = compute(traits)));
    return result;
  };
}

/** For servers that may be in the operator's network, which get no URLs. */
export const NO_URLS: TextTraits = { fetched: NOTHING_FETCHED };
