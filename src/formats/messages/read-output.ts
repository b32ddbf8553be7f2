import { EFFORTS, type ReasoningSettings, type ResponseFormat } from '../conversation.js';
import type { Members } from '../members.js';
import { asCount, asMembers, ifGiven, oneOf } from '../request-members.js';

/** The effort if `thinking.type` is `adaptive` and no effort is set. */
const DEFAULT_EFFORT = 'medium';

/**
 * Returns the settings in `thinking` and `output_config.effort`; undefined if neither is set. The effort is used only
 * if `thinking` is absent or `adaptive`.
 */
export function readThinkingSettings(body: Members): ReasoningSettings | undefined {
  const config = ifGiven(body.output_config, 'output_config', asMembers);
  const effort = ifGiven(config?.effort, 'output_config.effort', oneOf(...EFFORTS));
  const thinking = ifGiven(body.thinking, 'thinking', asMembers);
  if (!thinking) return effort === undefined ? undefined : { effort, exclude: false };
  const exclude = thinking.display === 'omitted';
  switch (oneOf('enabled', 'adaptive', 'disabled')(thinking.type, 'thinking.type')) {
    case 'disabled':
      return { effort: 'none', exclude };
    case 'adaptive':
      return { effort: effort ?? DEFAULT_EFFORT, exclude };
    default:
      return { maxTokens: asCount(thinking.budget_tokens, 'thinking.budget_tokens'), exclude };
  }
}

/** Reads `output_config.format`, or its former name `output_format`. */
export function readOutputFormat(body: Members): ResponseFormat | undefined {
  const config = ifGiven(body.output_config, 'output_config', asMembers);
  const path = config?.format === undefined ? 'output_format' : 'output_config.format';
  const format = ifGiven(config?.format ?? body.output_format, path, asMembers);
  if (!format) return undefined;
  oneOf('json_schema')(format.type, `${path}.type`);
  return { type: 'json_schema', name: 'response', schema: asMembers(format.schema, `${path}.schema`), strict: true };
}
