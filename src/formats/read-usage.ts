import type { UsageFormat } from './vendor-text.js';
import type { VendorUsage } from './usage.js';
import {
  readChatUsage,
  readGenerateContentUsage,
  readLanguageModelUsage,
  readMessagesUsage,
  readResponsesUsage,
} from './usage-readers.js';

const READERS: Readonly<Record<UsageFormat, (usage: unknown) => VendorUsage>> = {
  chat: readChatUsage,
  responses: readResponsesUsage,
  messages: readMessagesUsage,
  generate_content: readGenerateContentUsage,
  v4: (usage) => readLanguageModelUsage(usage, rawReaderOf(usage)),
};

/** Reads a vendor's report in the given format; undefined if there is none yet. */
export const readUsage = (format: UsageFormat, usage: unknown): VendorUsage | undefined =>
  usage === undefined || usage === null ? undefined : READERS[format](usage);

/**
 * The reader of the report that a package forwards from its vendor; undefined if the format of the report is unknown.
 * Each format is detected by members that it always has.
 */
function rawReaderOf(usage: unknown): ((usage: unknown) => VendorUsage) | undefined {
  const { raw } = usage as { raw?: object | null };
  if (typeof raw !== 'object' || raw === null) return undefined;
  if ('promptTokenCount' in raw) return readGenerateContentUsage;
  if ('prompt_tokens' in raw) return readChatUsage;
  return 'input_tokens' in raw && 'output_tokens' in raw && !('input_tokens_details' in raw)
    ? readMessagesUsage
    : undefined;
}
