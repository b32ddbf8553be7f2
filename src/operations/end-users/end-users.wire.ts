import type { EndUser } from '../../database/entities/end-user.entity.js';
import type { EndUserRecord } from './dto/end-user.response.dto.js';

/** Converts an end user to its API record. */
export const toEndUserRecord = (user: EndUser): EndUserRecord => ({
  user: user.trackingId,
  is_active: user.isActive,
  created_at: user.createdAt.toISOString(),
  updated_at: user.updatedAt.toISOString(),
});
