import { membersOf, type Members } from '../../../formats/members.js';
import {
  countIn,
  jsonOf,
  listIn,
  nameOf,
  toServerModel,
  TOOLS,
  type ModelListSource,
  type ServerModel,
} from './model-list.js';

/** Reads `GET /api/tags`, and `POST /api/show` of each model for its context and capabilities. */
export async function ollamaModels(source: ModelListSource): Promise<ServerModel[]> {
  const root = source.baseUrl.replace(/\/v1$/, '');
  const listed = listIn(await jsonOf(source, `${root}/api/tags`), 'models', source);
  const names = listed.flatMap(({ model, name }) => nameOf(model) ?? nameOf(name) ?? []);
  const models: ServerModel[] = [];
  for (const name of names) {
    models.push(ollamaModel(name, membersOf(await jsonOf(source, `${root}/api/show`, { model: name }))));
    source.onProgress(models.length, names.length);
  }
  return models;
}

function ollamaModel(name: string, shown: Members): ServerModel {
  const capabilities: readonly unknown[] = Array.isArray(shown.capabilities) ? shown.capabilities : [];
  return toServerModel(name, {
    context: contextOf(shown),
    isEmbedding: capabilities.includes('embedding') && !capabilities.includes('completion'),
    hasVision: capabilities.includes('vision'),
    supports: [
      ...(capabilities.includes('tools') ? TOOLS : []),
      ...(capabilities.includes('thinking') ? ['include_reasoning', 'reasoning'] : []),
    ],
  });
}

/** The configured context (`num_ctx`), otherwise the context for which the model was trained. */
function contextOf({ parameters, model_info }: Members): number | undefined {
  const setUp = typeof parameters === 'string' ? /^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1] : undefined;
  if (setUp !== undefined) return countIn(Number(setUp));
  const info = membersOf(model_info);
  const architecture = info['general.architecture'];
  return typeof architecture === 'string' ? countIn(info[`${architecture}.context_length`]) : undefined;
}
