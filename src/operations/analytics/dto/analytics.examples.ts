/** Requests that work unchanged. */
export const ANALYTICS_EXAMPLES = {
  daily: {
    summary: 'Requests by model and day',
    value: { metrics: ['request_count', 'total_usage'], dimensions: ['model'], granularity: 'day' },
  },
  errors: {
    summary: 'Failed calls of the last week by status',
    value: {
      metrics: ['error_count'],
      dimensions: ['status'],
      filters: [{ field: 'status', operator: 'gte', value: 400 }],
      order_by: { field: 'error_count', direction: 'desc' },
    },
  },
};
