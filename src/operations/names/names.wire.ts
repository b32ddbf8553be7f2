import type { NamedKey } from '../../auth/key-names.js';
import type { KeyNameRecord, NamesResponse } from './dto/names.response.dto.js';
import type { FoundNames } from './names.service.js';

export const toNamesResponse = ({ keys, people, workspaces, interns }: FoundNames): NamesResponse => ({
  data: {
    api_keys: keys.map(toKeyName),
    users: people.map(({ id, name, email, isMember }) => ({ id, name, email, is_member: isMember })),
    workspaces: workspaces.map(({ id, name, slug, deletedAt }) => ({ id, name, slug, deleted: deletedAt !== null })),
    interns: interns.map(({ id, name, workspaceId }) => ({ id, name, workspace_id: workspaceId })),
  },
});

const toKeyName = ({ hash, key }: NamedKey): KeyNameRecord => ({
  hash,
  current_hash: key.hash,
  name: key.name,
  label: key.label,
  class: key.keyClass,
  workspace_id: key.workspaceId,
  creator_user_id: key.creatorUserId,
  intern_id: key.internId,
  of_session: key.consoleSessionId !== null,
  disabled: key.disabled,
  deleted: key.deletedAt !== null,
});
