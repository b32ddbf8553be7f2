/** Requests that work as they are. */
export const CREATE_WORKSPACE_EXAMPLES = {
  named: {
    summary: 'A workspace for one team',
    value: { name: 'Research', slug: 'research', description: 'Experiments' },
  },
};

export const UPDATE_WORKSPACE_EXAMPLES = {
  renamed: { summary: 'Another name', value: { name: 'Research and development' } },
};
