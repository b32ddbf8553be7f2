import type { SentBody } from '../vendor-text.js';
import { MESSAGES_BETA_HEADER, MESSAGES_VERSION_HEADER } from '../../kernel/wire-names.js';

const DEFAULT_VERSION = '2023-06-01';

/**
 * The headers of this format, as alternating names and values: the headers of the caller, and a default version if the
 * caller sent no version.
 */
export const messagesHeaders = ({ version, betas }: Partial<SentBody>): string[] => [
  MESSAGES_VERSION_HEADER,
  version || DEFAULT_VERSION,
  ...(betas ? [MESSAGES_BETA_HEADER, betas] : []),
];

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const joined = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header;

/** The headers of the format that a caller sent. */
export const sentHeaders = (headers: Headers): Pick<SentBody, 'version' | 'betas'> => ({
  version: joined(headers[MESSAGES_VERSION_HEADER]),
  betas: joined(headers[MESSAGES_BETA_HEADER]),
});
