import type { WireRequest } from '../vendor-text.js';
import { MESSAGES_BETA_HEADER, MESSAGES_VERSION_HEADER } from '../../kernel/wire-names.js';

const DEFAULT_VERSION = '2023-06-01';

/** Headers of the format, alternating names and values: those that the caller sent, and a version in any case. */
export const messagesHeaders = ({ version, betas }: WireRequest): string[] => [
  MESSAGES_VERSION_HEADER,
  version || DEFAULT_VERSION,
  ...(betas ? [MESSAGES_BETA_HEADER, betas] : []),
];
