/** Requests that work as they are. */
export const CREATE_WEBHOOK_EXAMPLES = {
  limits: {
    summary: 'Limits of keys and credits',
    value: { url: 'https://example.com/webhooks/gatehouse', events: ['key.limit.threshold', 'credits.low'] },
  },
  export: {
    summary: 'Records of calls as OTLP logs',
    value: { url: 'https://otel.example.com/v1/logs', events: ['generation.completed'], format: 'otlp' },
  },
};

export const UPDATE_WEBHOOK_EXAMPLES = {
  enabled: { summary: 'Enable again', value: { disabled: false } },
  events: { summary: 'Other events', value: { events: ['intern.failed'] } },
};
