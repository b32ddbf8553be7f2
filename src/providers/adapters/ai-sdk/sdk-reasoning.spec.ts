import {
  aConversation,
  aTextCall,
  startScriptedTextVendor,
} from '../../../../test/support/vendors/scripted-text-vendor.js';
import { TEXT_VENDORS, type TextVendorFormat } from '../../../../test/support/vendors/text-vendor-formats.js';
import type { ReasoningSettings } from '../../../formats/conversation.js';
import type { ConversationCall } from '../../ports/text-adapter.port.js';

const { anthropic, google, bedrock, cohere } = TEXT_VENDORS;

describe('reasoning settings, as the vendors’ packages send them', () => {
  let vendor: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  beforeAll(async () => {
    vendor = await startScriptedTextVendor();
  });
  afterAll(() => vendor.close());

  const OPUS = 'claude-opus-4-6';
  it.each<[string, TextVendorFormat, ReasoningSettings, Partial<ConversationCall>, object]>([
    [
      'half of the bound',
      anthropic,
      { effort: 'medium', exclude: false },
      {},
      { thinking: { budget_tokens: 2_048 }, max_tokens: 4_096 },
    ],
    ['at least 1,024', anthropic, { effort: 'minimal', exclude: false }, {}, { thinking: { budget_tokens: 1_024 } }],
    [
      'below the bound',
      anthropic,
      { maxTokens: 9_000, exclude: false },
      {},
      { thinking: { budget_tokens: 4_095 }, max_tokens: 4_096 },
    ],
    [
      'off if there is no room',
      anthropic,
      { effort: 'high', exclude: false },
      { maxOutputTokens: 1_024 },
      { thinking: { type: 'disabled' }, max_tokens: 1_024 },
    ],
    ['off', anthropic, { effort: 'none', exclude: false }, {}, { thinking: { type: 'disabled' } }],
    [
      'by effort if the model takes no budget',
      anthropic,
      { maxTokens: 900, exclude: false },
      { upstreamModel: 'claude-fable-5-1' },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' }, max_tokens: 4_096 },
    ],
    [
      'by effort if the model takes one',
      anthropic,
      { effort: 'max', exclude: false },
      { upstreamModel: OPUS },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } },
    ],
    [
      'within the bound, which the package adds the budget to',
      bedrock,
      { effort: 'medium', exclude: false },
      {},
      { inferenceConfig: { maxTokens: 4_096 }, additionalModelRequestFields: { thinking: { budget_tokens: 2_048 } } },
    ],
    [
      'by budget',
      google,
      { effort: 'low', exclude: false },
      {},
      { generationConfig: { thinkingConfig: { thinkingBudget: 819, includeThoughts: true } } },
    ],
    [
      'by level',
      google,
      { effort: 'low', exclude: true },
      { upstreamModel: 'gemini-3-pro-preview' },
      { generationConfig: { thinkingConfig: { thinkingLevel: 'low', includeThoughts: false } } },
    ],
    [
      'as a share of the reserved output tokens if there is no bound',
      anthropic,
      { effort: 'low', exclude: false },
      { maxOutputTokens: undefined, reservedOutputTokens: 64_000 },
      { thinking: { budget_tokens: 12_800 }, max_tokens: 64_000 },
    ],
    [
      'as a share of the reserved output tokens on Bedrock',
      bedrock,
      { effort: 'low', exclude: false },
      { maxOutputTokens: undefined, reservedOutputTokens: 64_000 },
      { inferenceConfig: { maxTokens: 64_000 }, additionalModelRequestFields: { thinking: { budget_tokens: 12_800 } } },
    ],
    [
      'as a share of the reserved output tokens of Gemini',
      google,
      { effort: 'minimal', exclude: false },
      { maxOutputTokens: undefined, reservedOutputTokens: 65_536 },
      { generationConfig: { thinkingConfig: { thinkingBudget: 6_554 } } },
    ],
    [
      'as a share of the reserved output tokens of Cohere',
      cohere,
      { effort: 'low', exclude: false },
      { maxOutputTokens: undefined, reservedOutputTokens: 8_000 },
      { thinking: { token_budget: 1_600 } },
    ],
    [
      'off if the reserved output tokens leave no room',
      anthropic,
      { effort: 'low', exclude: false },
      { maxOutputTokens: undefined, reservedOutputTokens: 1_000, upstreamModel: 'own-model' },
      { thinking: { type: 'disabled' }, max_tokens: 1_000 },
    ],
    ['by budget of tokens', cohere, { maxTokens: 77, exclude: false }, {}, { thinking: { token_budget: 77 } }],
  ])('plan reasoning %s', async (_, format, reasoning, call, expected) => {
    vendor.turn(format, { text: ['Ok'], finish: format.stop, usage: format.usage }, false);
    await vendor.text.converse(aTextCall(format, aConversation({ reasoning }), call));
    expect(vendor.seen.at(-1)!.json).toMatchObject(expected);
  });
});
