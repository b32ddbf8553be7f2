const NAME_CONSTRAINT = 'intern_workspace_id_creator_user_id_name_unique';

/** Whether a statement failed because the member has an intern of that name in the workspace. */
export function isNameTaken(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === NAME_CONSTRAINT;
}
