/** A running intern. */
export const INTERN_EXAMPLE = {
  id: '019ab0c4-3333-7a61-9d0e-1f2a3b4c5d6e',
  name: 'Researcher',
  description: 'Reads papers and summarises them',
  instructions: 'Answer in plain English.',
  model: 'author/text-model',
  status: 'running',
  last_failure_message: null,
  progress: null,
  hostname: 'researcher.interns.internal',
  workspace_id: '019ab0c4-2222-7a61-9d0e-1f2a3b4c5d6e',
  vault_id: '019ab0c4-4444-7a61-9d0e-1f2a3b4c5d6e',
  attached_vault_id: null,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:01:30.000Z',
};
