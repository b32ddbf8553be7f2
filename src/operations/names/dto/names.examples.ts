const KEY = 'a3f5c1d2e4b60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90';
const USER = '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e';
const WORKSPACE = '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e';

/** Requests that work unchanged. */
export const NAMES_EXAMPLES = {
  rows: {
    summary: 'The names in the rows of a list',
    value: { api_key_hashes: [KEY], user_ids: [USER], workspace_ids: [WORKSPACE] },
  },
};

export const NAMES_EXAMPLE = {
  data: {
    api_keys: [
      {
        hash: KEY,
        current_hash: KEY,
        name: 'Support bot',
        label: 'sk-gh-v1-a3f...8f90',
        class: 'standard',
        workspace_id: WORKSPACE,
        creator_user_id: USER,
        intern_id: null,
        of_session: false,
        disabled: false,
        deleted: false,
      },
    ],
    users: [{ id: USER, name: 'Ada', email: 'ada@example.com', is_member: true }],
    workspaces: [{ id: WORKSPACE, name: 'Support', slug: 'support', deleted: false }],
    interns: [],
  },
};
