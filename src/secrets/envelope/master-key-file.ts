import { parseMasterKey, textOfMasterKey, type MasterKey } from './master-key.js';

/** Master keys by purpose. The database records which key is in use. */
export interface MasterKeys {
  /** The key that a new database adopts. */
  readonly current: MasterKey | undefined;
  /** The keys that a rotation can change to. */
  readonly next: readonly MasterKey[];
  /** Keys of earlier rotations, newest first. Backups taken before those rotations need them. */
  readonly retired: readonly MasterKey[];
}

const FORMAT = /^gatehouse-master-keys (\d+)$/;
const FORMAT_VERSION = 2;
const REMARKS = [
  '# One master key a line: its role, its id, the key. Roles: current, next (a rotation changes to it), ' +
    'retired (needed for backups taken',
  '# before a rotation; remove one with `secrets forget-master-key <id>`).',
];

/** Every key once, the current one first. */
export function allOf({ current, next, retired }: MasterKeys): MasterKey[] {
  const keys = [...(current ? [current] : []), ...next, ...retired];
  return [...new Map(keys.map((key) => [key.id, key])).values()];
}

/**
 * Reads a key file in the labelled format or in the old format. A file in the old format has only keys: the first is
 * current, the others are next. If the file is invalid, returns a description of the error, which never quotes a key.
 */
export function parseMasterKeys(text: string): MasterKeys | string {
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, text: line.trim() }));
  const content = lines.filter((line) => line.text !== '' && !line.text.startsWith('#'));
  const version = FORMAT.exec(content[0]?.text ?? '')?.[1];
  if (version === undefined) return parseBareKeys(content);
  if (Number(version) !== FORMAT_VERSION) return `is of format ${version}, which a newer Gatehouse wrote`;
  return parseLabelledKeys(content.slice(1));
}

/** The text of a key file in the labelled format. */
export function textOfMasterKeys({ current, next, retired }: MasterKeys): string {
  const line = (role: string, key: MasterKey): string => `${role} ${key.id} ${textOfMasterKey(key)}`;
  return [
    `gatehouse-master-keys ${FORMAT_VERSION}`,
    ...REMARKS,
    ...(current ? [line('current', current)] : []),
    ...next.map((key) => line('next', key)),
    ...retired.map((key) => line('retired', key)),
    '',
  ].join('\n');
}

interface Line {
  readonly number: number;
  readonly text: string;
}

function parseBareKeys(lines: readonly Line[]): MasterKeys | string {
  const keys: MasterKey[] = [];
  for (const { number, text } of lines) {
    const key = parseMasterKey(text);
    if (!key) return `line ${number} must be a key: 32 bytes as 64 hex characters or as base64`;
    keys.push(key);
  }
  const [current, ...next] = keys;
  return current ? { current, next, retired: [] } : 'holds no key';
}

function parseLabelledKeys(lines: readonly Line[]): MasterKeys | string {
  const keys: Record<string, MasterKey[]> = { current: [], next: [], retired: [] };
  for (const { number, text } of lines) {
    const words = text.split(/\s+/);
    const [role = '', id] = words;
    const ofRole = Object.hasOwn(keys, role) ? keys[role] : undefined;
    const key = words.length === 2 || words.length === 3 ? parseMasterKey(words.at(-1)!) : undefined;
    if (!ofRole || !key)
      return `line ${number} must be \`current\`, \`next\` or \`retired\`, optionally the id of the key, and the key`;
    if (words.length === 3 && id !== key.id)
      return `line ${number} names the id ${id}, and its key has the id ${key.id}`;
    ofRole.push(key);
  }
  const { current = [], next = [], retired = [] } = keys;
  if (current.length === 0) return 'holds no current key';
  if (current.length > 1) return `holds ${current.length} current keys: it must hold exactly one`;
  return { current: current[0], next, retired };
}
