import { GatewayError } from '../../../kernel/errors/errors.js';
import { SecretValue } from '../../../kernel/secret-value.js';
import { objectIn } from '../../../formats/response-members.js';
import type { Members } from '../../../formats/members.js';
import type { CompatibleVendor, CredentialParts } from './compatible-vendor.js';

/** The key to send, and the address to send it to. */
export interface OpenedCredential {
  readonly key: SecretValue | null;
  readonly baseUrl: string;
}

/**
 * Reads a credential by the vendor's row. `configured`: the operator's own address, which takes precedence. A caller's
 * credential can only name a host of the vendor. Throws provider_failed if the credential is malformed.
 */
export function openCredential(
  { slug, baseUrl, credential: schema }: CompatibleVendor,
  credential: SecretValue | null,
  configured: string | undefined,
): OpenedCredential {
  if (!schema || !credential) return { key: credential, baseUrl: configured ?? baseUrl };
  const members = objectIn(credential.reveal());
  // A plain key suffices if the operator has configured the vendor's address.
  if (!members && configured !== undefined) return { key: credential, baseUrl: configured };
  const key = members?.[schema.key];
  const address = configured ?? (members && addressOf(members, schema));
  if (typeof key !== 'string' || key === '' || address === undefined) throw malformed(slug, schema);
  return { key: new SecretValue(key, credential.revealCompanions()), baseUrl: address };
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/;

function addressOf(members: Members, { address }: CredentialParts): string | undefined {
  const url = members[address.url];
  if (typeof url === 'string' && URL.canParse(url)) {
    const { protocol, hostname, port, username, search, hash } = new URL(url);
    const isVendors = address.hosts.some((ending) => hostname.endsWith(ending));
    const isPlain = protocol === 'https:' && port === '' && username === '' && search === '' && hash === '';
    return isVendors && isPlain ? url : undefined;
  }
  const name = members[address.name];
  return url === undefined && typeof name === 'string' && NAME.test(name)
    ? address.template.replace('{}', name)
    : undefined;
}

const malformed = (slug: string, { key, address: { name, url, hosts } }: CredentialParts): GatewayError =>
  new GatewayError(
    'provider_failed',
    `The credential for ${slug} has the wrong form: store a JSON object with the members ${key} and ${name} (or ` +
      `${url}, an https address on a host that ends in ${hosts.join(' or ')})`,
  );
