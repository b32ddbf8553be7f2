import { objectIn } from '../../../../formats/response-members.js';

/** A credential in the form that a package accepts: settings, and the vendor's address. */
export interface SdkCredential {
  readonly settings: Readonly<Record<string, unknown>>;
  /** The vendor's address, if the credential names a region, a resource or a base URL. */
  readonly baseUrl?: string;
  /** Whether `baseUrl` can be any address at all. */
  readonly isAnyAddress?: boolean;
}

/** A credential that is a JSON object of several strings. */
export interface CredentialSchema {
  /** Sets of members. The credential must have all members of one set. */
  readonly members: readonly (readonly string[])[];
  /** Members that become part of a host name or a path. */
  readonly labels: readonly string[];
  /** Whether a plain API key suffices if the operator sets the address. */
  readonly orPlainKey?: boolean;
  /** The settings and the address of a valid object. */
  readonly read: (members: Readonly<Record<string, string>>) => SdkCredential;
}

/** A part of a host name or a path. The pattern excludes characters that would change the destination. */
const LABEL = /^[a-z0-9](?:[a-z0-9.:-]{0,61}[a-z0-9])?$/i;

/**
 * The settings of a credential, or the reason why it cannot be used. The reason names members but never quotes a value.
 * Members that are not strings count as absent.
 */
export function readCredential(schema: CredentialSchema, plaintext: string): SdkCredential | { reason: string } {
  const given = objectIn(plaintext);
  const sets = schema.members.map((names) => names.join(', ')).join('; or ');
  if (!given) return { reason: `must be a JSON object with the members ${sets}` };
  const members = Object.fromEntries(Object.entries(given).filter(isText));
  const isWhole = (names: readonly string[]): boolean => names.every((name) => members[name]);
  if (!schema.members.some(isWhole)) return { reason: `lacks a member: it must hold ${sets}` };
  const unsound = schema.labels.find((name) => members[name] !== undefined && !LABEL.test(members[name]));
  if (unsound !== undefined) return { reason: `has a member ${unsound} that cannot be part of a host name or a path` };
  try {
    return schema.read(members);
  } catch {
    return { reason: 'holds a member that cannot be used' };
  }
}

const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '';
