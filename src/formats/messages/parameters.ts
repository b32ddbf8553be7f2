import { elementsIn, isSet, membersOf, type Members } from '../members.js';
import { requestedTier } from '../service-tier.js';
import { parametersIn } from '../text-request.js';

/** Request parameters that some endpoints do not support, with their names in the catalogue. */
const PARAMETERS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  stop_sequences: 'stop',
  tools: 'tools',
  tool_choice: 'tool_choice',
  thinking: 'reasoning',
};

/** The parameters in a request, by their names in the catalogue. */
export function parametersOf(members: Members): string[] {
  const { disable_parallel_tool_use: isSerial } = (members['tool_choice'] ?? {}) as Members;
  const { format } = (members['output_config'] ?? {}) as Members;
  return [
    ...parametersIn(members, Object.keys(PARAMETERS)).map((name) => PARAMETERS[name]!),
    ...(isSerial === true ? ['parallel_tool_calls'] : []),
    ...(isSet(format) || isSet(members['output_format']) ? ['response_format', 'structured_outputs'] : []),
  ];
}

/** The requested service tier. `speed: "fast"` selects the tier of the endpoints that have a price for it. */
export const tierOf = ({ speed, service_tier: tier }: Members): string | undefined =>
  speed === 'fast' ? requestedTier(speed) : requestedTier(tier === 'standard_only' ? 'default' : tier);

/** Input modalities of messages, tool results and documents that consist of blocks, besides text. */
export function modalitiesOf(messages: readonly object[]): string[] {
  const found = new Set<string>();
  const visit = (blocks: unknown): void => {
    for (const block of elementsIn(blocks)) {
      const { type, content, source } = membersOf(block);
      if (type === 'image') found.add('image');
      else if (type === 'tool_result') visit(content);
      else if (type === 'document') {
        const { type: kind, content: parts } = membersOf(source);
        if (kind === 'content') visit(parts);
        else if (kind !== 'text') found.add('file');
      }
    }
  };
  for (const { content } of messages as readonly { content?: unknown }[]) visit(content);
  return [...found];
}
