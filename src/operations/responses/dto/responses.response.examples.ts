const ID = 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e';
const MESSAGE = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Hello! How can I help you?', annotations: [] }],
};
const USAGE = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 21,
  cost: 0.000105,
  is_byok: false,
  cost_details: { upstream_inference_cost: null },
};

export const RESPONSE_EXAMPLE = {
  id: ID,
  object: 'response',
  created_at: 1795132800,
  completed_at: 1795132802,
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: 'author/text-model',
  provider: 'North',
  output: [MESSAGE],
  parallel_tool_calls: true,
  temperature: 1,
  top_p: 1,
  tool_choice: 'auto',
  tools: [],
  usage: USAGE,
};

export const COMPACTION_EXAMPLE = { id: ID, output: [MESSAGE], usage: USAGE };
