import type { SqlSession } from '../../database/sql.js';
import type { OwnModel, OwnModelSetup, OwnProvider } from '../own-provider.js';

/** The own providers and their models that are added to the catalogue. */
export interface OwnRows {
  readonly providers: readonly OwnProvider[];
  /** The current versions. */
  readonly models: readonly OwnModel[];
}

const PROVIDER = `slug, name, format, base_url as "baseUrl", needs_credential as "needsCredential", privacy,
  created_at as "createdAt"`;
const MODEL = 'provider, id, version, setup, created_at as "createdAt", set_at as "setAt"';

export const readOwnProviders = (session: SqlSession): Promise<OwnProvider[]> =>
  session.query<OwnProvider>(`select ${PROVIDER} from own_provider order by slug`);

export const readOwnModels = (session: SqlSession): Promise<OwnModel[]> =>
  session.query<OwnModel>(`select ${MODEL} from own_model where is_current order by provider, id`);

export async function findOwnProvider(session: SqlSession, slug: string): Promise<OwnProvider | undefined> {
  const [found] = await session.query<OwnProvider>(`select ${PROVIDER} from own_provider where slug = $1`, [slug]);
  return found;
}

export async function insertOwnProvider(session: SqlSession, provider: OwnProvider): Promise<void> {
  const { slug, name, format, baseUrl, needsCredential, privacy, createdAt } = provider;
  await session.query(
    `insert into own_provider (slug, name, format, base_url, needs_credential, privacy, created_at)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [slug, name, format, baseUrl, needsCredential, JSON.stringify(privacy), createdAt],
  );
}

export async function updateOwnProvider(
  session: SqlSession,
  { slug, name, baseUrl, privacy }: OwnProvider,
): Promise<void> {
  await session.query('update own_provider set name = $2, base_url = $3, privacy = $4 where slug = $1', [
    slug,
    name,
    baseUrl,
    JSON.stringify(privacy),
  ]);
}

/** Deletes the provider. The versions of its models remain, but none of them is current. */
export async function deleteOwnProvider(session: SqlSession, slug: string): Promise<void> {
  await session.query('update own_model set is_current = false where provider = $1 and is_current', [slug]);
  await session.query('delete from own_provider where slug = $1', [slug]);
}

/** Newest first. */
export const readOwnVersions = (session: SqlSession, provider: string, id: string): Promise<OwnModel[]> =>
  session.query<OwnModel>(`select ${MODEL} from own_model where provider = $1 and id = $2 order by version desc`, [
    provider,
    id,
  ]);

/** Inserts the next version, which becomes the current one. */
export async function insertOwnVersion(
  session: SqlSession,
  provider: string,
  id: string,
  setup: OwnModelSetup,
  now: Date,
): Promise<OwnModel> {
  const [former] = await session.query<{ createdAt: Date }>(
    `update own_model set is_current = false where provider = $1 and id = $2 and is_current
      returning created_at as "createdAt"`,
    [provider, id],
  );
  const [made] = await session.query<OwnModel>(
    `insert into own_model (provider, id, version, setup, is_current, created_at, set_at)
      select $1, $2, coalesce(max(version), 0) + 1, $3, true, $4, $5 from own_model where provider = $1 and id = $2
      returning ${MODEL}`,
    [provider, id, JSON.stringify(setup), former?.createdAt ?? now, now],
  );
  return made!;
}

/** Returns whether the model existed. */
export async function endOwnModel(session: SqlSession, provider: string, id: string): Promise<boolean> {
  const ended = await session.query(
    'update own_model set is_current = false where provider = $1 and id = $2 and is_current returning version',
    [provider, id],
  );
  return ended.length > 0;
}
