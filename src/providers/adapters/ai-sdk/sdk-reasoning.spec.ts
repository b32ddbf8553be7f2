import {
  aConversation,
  aTextCall,
  startScriptedTextVendor,
} from '../../../../test/support/vendors/scripted-text-vendor.js';
import { TEXT_VENDORS, type TextVendorFormat } from '../../../../test/support/vendors/text-vendor-formats.js';
import type { ReasoningSettings } from '../../../formats/conversation.js';
import type { ConversationCall } from '../../ports/text-adapter.port.js';

const { anthropic, google, bedrock, cohere } = TEXT_VENDORS;

describe('reasoning settings through the vendors’ packages', () => {
  let vendor: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  beforeAll(async () => {
    vendor = await startScriptedTextVendor();
  });
  afterAll(() => vendor.close());

  const OPUS = 'claude-opus-4-6';
  it.each<[string, TextVendorFormat, ReasoningSettings, Partial<ConversationCall>, object]>([
    [
      'a budget of half of the maximum output',
      anthropic,
      { effort: 'medium', exclude: false },
      {},
      { thinking: { budget_tokens: 2_048 }, max_tokens: 4_096 },
    ],
    [
      'a budget of at least 1,024',
      anthropic,
      { effort: 'minimal', exclude: false },
      {},
      { thinking: { budget_tokens: 1_024 } },
    ],
    [
      'a budget below the maximum output',
      anthropic,
      { maxTokens: 9_000, exclude: false },
      {},
      { thinking: { budget_tokens: 4_095 }, max_tokens: 4_096 },
    ],
    [
      'no reasoning if there is no room for a budget',
      anthropic,
      { effort: 'high', exclude: false },
      { maxOutputTokens: 1_024 },
      { thinking: { type: 'disabled' }, max_tokens: 1_024 },
    ],
    [
      'no reasoning for the effort none',
      anthropic,
      { effort: 'none', exclude: false },
      {},
      { thinking: { type: 'disabled' } },
    ],
    [
      'an effort if the model accepts no budget',
      anthropic,
      { maxTokens: 900, exclude: false },
      { upstreamModel: 'claude-fable-5-1' },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' }, max_tokens: 4_096 },
    ],
    [
      'an effort if the model accepts efforts',
      anthropic,
      { effort: 'max', exclude: false },
      { upstreamModel: OPUS },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } },
    ],
    [
      'a budget within the maximum output, to which the package adds the budget',
      bedrock,
      { effort: 'medium', exclude: false },
      {},
      { inferenceConfig: { maxTokens: 4_096 }, additionalModelRequestFields: { thinking: { budget_tokens: 2_048 } } },
    ],
    [
      'a budget',
      google,
      { effort: 'low', exclude: false },
      {},
      { generationConfig: { thinkingConfig: { thinkingBudget: 819, includeThoughts: true } } },
    ],
    [
      'a level',
      google,
      { effort: 'low', exclude: true },
      { upstreamModel: 'gemini-3-pro-preview' },
      { generationConfig: { thinkingConfig: { thinkingLevel: 'low', includeThoughts: false } } },
    ],
    [
      'a share of the reserved output tokens if the caller sets no maximum',
      anthropic,
      { effort: 'low', exclude: false },
      { maxOutputTokens: undefined, reservedOutputTokens: 64_000 },
      { thinking: { budget_tokens: 12_800 }, max_tokens: 64_000 },
    ],
    [
      'a share of the reserved output tokens for Bedrock',
      bedrock,
      { effort: 'low', exclude: false },
      { maxOutputTokens: undefined, reservedOutputTokens: 64_000 },
      { inferenceConfig: { maxTokens: 64_000 }, additionalModelRequestFields: { thinking: { budget_tokens: 12_800 } } },
    ],
    [
      'a share of the reserved output tokens for Gemini',
      google,
      { effort: 'minimal', exclude: false },
      { maxOutputTokens: undefined, reservedOutputTokens: 65_536 },
      { generationConfig: { thinkingConfig: { thinkingBudget: 6_554 } } },
    ],
    [
      'a share of the reserved output tokens for Cohere',
      cohere,
      { effort: 'low', exclude: false },
      { maxOutputTokens: undefined, reservedOutputTokens: 8_000 },
      { thinking: { token_budget: 1_600 } },
    ],
    [
      'no reasoning if the reserved output tokens leave no room',
      anthropic,
      { effort: 'low', exclude: false },
      { maxOutputTokens: undefined, reservedOutputTokens: 1_000, upstreamModel: 'own-model' },
      { thinking: { type: 'disabled' }, max_tokens: 1_000 },
    ],
    [
      'the requested budget for Cohere',
      cohere,
      { maxTokens: 77, exclude: false },
      {},
      { thinking: { token_budget: 77 } },
    ],
  ])('become %s', async (_, format, reasoning, call, expected) => {
    vendor.turn(format, { text: ['Ok'], finish: format.stop, usage: format.usage }, false);
    await vendor.text.converse(aTextCall(format, aConversation({ reasoning }), call));
    expect(vendor.seen.at(-1)!.json).toMatchObject(expected);
  });
});
