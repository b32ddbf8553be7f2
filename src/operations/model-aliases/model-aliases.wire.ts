import type { ModelAlias } from '../../catalogue/names/model-aliases.js';
import type { ModelAliasRecord } from './dto/model-alias.response.dto.js';

export const toModelAliasRecord = ({ name, models, setAt }: ModelAlias): ModelAliasRecord => ({
  name,
  models: [...models],
  updated_at: setAt.toISOString(),
});
