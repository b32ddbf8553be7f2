import { idOfIdentity, type LinkedIdentity } from '../../identity/user-identities.js';
import type { ConsoleIdentityRecord } from './dto/console-identities.response.dto.js';

/** An identity, and the label of its provider. */
export interface LabelledIdentity {
  readonly identity: LinkedIdentity;
  readonly label: string | null;
}

export const toIdentityRecord = ({ identity, label }: LabelledIdentity): ConsoleIdentityRecord => ({
  id: idOfIdentity(identity),
  provider: identity.provider,
  label,
  email: identity.email,
  email_verified: identity.emailVerified,
  name: identity.name,
  created_at: identity.createdAt.toISOString(),
  used_at: identity.usedAt.toISOString(),
});
