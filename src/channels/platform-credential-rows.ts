import type { SqlSession } from '../database/sql.js';
import type { PlatformCredential } from './platform-credential.js';

/** A row with its sealed secrets. */
export interface PlatformCredentialRow extends PlatformCredential {
  readonly dataKeyId: string;
  readonly sealed: Buffer;
}

const COLUMNS: Readonly<Record<keyof PlatformCredentialRow, string>> = {
  name: 'name',
  baseUrl: 'base_url',
  region: 'region',
  apiVersion: 'api_version',
  headers: 'headers',
  priority: 'priority',
  weight: 'weight',
  allowedModels: 'allowed_models',
  deniedModels: 'denied_models',
  modelNames: 'model_names',
  rpm: 'rpm',
  tpm: 'tpm',
  maxConcurrent: 'max_concurrent',
  disabled: 'disabled',
  id: 'id',
  provider: 'provider',
  label: 'label',
  dataKeyId: 'data_key_id',
  sealed: 'sealed',
  secretHeaderNames: 'secret_header_names',
  state: 'state',
  stateUntil: 'state_until',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

const SELECTED = Object.entries(COLUMNS)
  .map(([member, column]) => `${column} as "${member}"`)
  .join(', ');

/** The order of use, except for the draw among credentials of the same priority. */
const ORDER = 'order by provider, priority, created_at, id';

export const readAll = (session: SqlSession): Promise<PlatformCredentialRow[]> =>
  session.query<PlatformCredentialRow>(`select ${SELECTED} from platform_credential ${ORDER}`);

/** `lock`: locks the row until the transaction ends. */
export async function readOne(
  session: SqlSession,
  id: string,
  lock = false,
): Promise<PlatformCredentialRow | undefined> {
  const [row] = await session.query<PlatformCredentialRow>(
    `select ${SELECTED} from platform_credential where id = $1 ${lock ? 'for update' : ''}`,
    [id],
  );
  return row;
}

export interface CredentialName {
  readonly name: string | null;
  /** Masked rendering of the key. */
  readonly label: string;
}

export const readNames = (session: SqlSession, ids: readonly string[]): Promise<(CredentialName & { id: string })[]> =>
  session.query('select id, name, label from platform_credential where id = any($1)', [ids]);

type Written = Partial<Omit<PlatformCredentialRow, 'id' | 'createdAt'>>;

export async function insertRow(session: SqlSession, row: Written & { id: string; createdAt: Date }): Promise<void> {
  const { columns, values } = writtenOf(row);
  const places = values.map((_, index) => `$${index + 1}`);
  await session.query(`insert into platform_credential (${columns.join(', ')}) values (${places.join(', ')})`, values);
}

export async function updateRow(session: SqlSession, id: string, changes: Written): Promise<void> {
  const { columns, values } = writtenOf(changes);
  const sets = columns.map((column, index) => `${column} = $${index + 2}`);
  await session.query(`update platform_credential set ${sets.join(', ')} where id = $1`, [id, ...values]);
}

function writtenOf(members: Written): { columns: string[]; values: unknown[] } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  const columns = entries.map(([member]) => COLUMNS[member as keyof PlatformCredentialRow]);
  return { columns, values: entries.map(([, value]) => (isJson(value) ? JSON.stringify(value) : value)) };
}

const isJson = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !Buffer.isBuffer(value);
