/** Requests that work unchanged. */
export const CREATE_WEBHOOK_EXAMPLES = {
  limits: {
    summary: 'Limits of keys and credits',
    value: { url: 'https://example.com/webhooks/gatehouse', events: ['key.limit.threshold', 'credits.low'] },
  },
  slack: {
    summary: 'Alerts to a channel of Slack',
    value: {
      format: 'slack',
      url: 'https://hooks.slack.com/services/T000/B000/XXXX',
      events: ['key.limit.threshold', 'budget.refused', 'credits.low', 'endpoint.unhealthy'],
    },
  },
  email: {
    summary: 'Alerts by e-mail',
    value: { format: 'email', to: 'oncall@example.com', events: ['credits.low', 'intern.failed'] },
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
