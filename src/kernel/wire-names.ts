/** Names of the published formats that hold a vendor's name. They are part of the formats, also at other vendors. */

/** Headers of `/messages`: the version of the format, and the beta features that the caller uses. */
export const MESSAGES_VERSION_HEADER = 'anthropic-version';
export const MESSAGES_BETA_HEADER = 'anthropic-beta';

/** Whose reasoning an entry of `reasoning_details` is, where it came in `/messages` and in `/responses`. */
export const MESSAGES_REASONING = 'anthropic-claude-v1';
export const RESPONSES_REASONING = 'openai-responses-v1';
