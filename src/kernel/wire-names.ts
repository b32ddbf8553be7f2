/**
 * Names in the published formats that contain a vendor's name. They are part of the formats, also for other vendors.
 */

/** Headers of `/messages`: the version of the format, and the beta features that the caller uses. */
export const MESSAGES_VERSION_HEADER = 'anthropic-version';
export const MESSAGES_BETA_HEADER = 'anthropic-beta';

/** The values of `format` in `reasoning_details` for reasoning that came in `/messages` and in `/responses`. */
export const MESSAGES_REASONING = 'anthropic-claude-v1';
export const RESPONSES_REASONING = 'openai-responses-v1';
