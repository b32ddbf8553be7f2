/**
 * Names in the published formats that contain a vendor's name. The formats have these names for every vendor.
 */

/** Header of `/messages` with the version of the format. */
export const MESSAGES_VERSION_HEADER = 'anthropic-version';
/** Header of `/messages` with the beta features that the caller uses. */
export const MESSAGES_BETA_HEADER = 'anthropic-beta';

/** The value of `format` in `reasoning_details` for reasoning that came in `/messages`. */
export const MESSAGES_REASONING = 'anthropic-claude-v1';
/** The value of `format` in `reasoning_details` for reasoning that came in `/responses`. */
export const RESPONSES_REASONING = 'openai-responses-v1';
