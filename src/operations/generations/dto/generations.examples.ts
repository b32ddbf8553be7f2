/** The common members of the list and the details of a call. */
const CALL = {
  id: 'gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e',
  created_at: '2026-11-22T08:30:00.000Z',
  kind: 'chat',
  model: 'author/text-model',
  provider_name: 'North',
  status: 200,
  finish_reason: 'stop',
  api_key_hash: 'f01d52606dc8f0a8303a7b5cc3fa07109c2e346cec7c0a16b40de462992ce943',
  workspace_id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e',
  external_user: null,
  is_byok: false,
  usage: 0.000105,
  total_cost: 0.000105,
  tokens_prompt: 12,
  tokens_completion: 9,
  tokens_reasoning: 0,
  tokens_cached: 0,
  characters: 0,
  images: 0,
};

export const GENERATION_LIST_EXAMPLE = {
  data: [{ ...CALL, latency: 420, generation_time: 1310 }],
  has_more: false,
  next_cursor: null,
  as_of: '2026-11-22T08:30:02.000Z',
};

export const GENERATION_DETAILS_EXAMPLE = {
  data: {
    ...CALL,
    streamed: false,
    cancelled: false,
    request_id: '019ab0c4-5555-7a61-9d0e-1f2a3b4c5d6e',
    session_id: null,
    upstream_id: 'chatcmpl-1',
    user_agent: 'client/2.1.0',
    response_cache_source_id: null,
    error: null,
    attempts: [
      {
        provider_name: 'South',
        status: 503,
        latency: 90,
        error: { code: 'provider_overloaded', message: 'The provider is overloaded. Try again later.' },
        credential: null,
      },
      { provider_name: 'North', status: 200, latency: 1215, error: null, credential: null },
    ],
    price_assumed: false,
    price_lines: [
      { item: 'prompt', quantity: 12, unit_price: '0.00000125', amount: 0.000015 },
      { item: 'completion', quantity: 9, unit_price: '0.00001', amount: 0.00009 },
    ],
    latency_parts: { failed_attempts: 90, first_byte: 330, response: 890, total: 1310 },
  },
};
