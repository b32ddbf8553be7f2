import { Injectable } from '@nestjs/common';
import { webcrypto } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import type * as X509 from '@peculiar/x509';
import { LRUCache } from 'lru-cache';
import { Sql, type SqlSession } from '../../database/sql.js';
import { atMostEntries } from '../../kernel/cache-options.js';
import { SecretValue } from '../../kernel/secret-value.js';
import { SecretBox } from '../../secrets/secret-box.js';
import { Network } from '../network.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3_650;
const LEAF_DAYS = 30;
const BINDING = 'egress_authority:1';
const MAX_CACHED_HOSTS = 1_000;

let loading: Promise<typeof X509> | undefined;

/** Loaded when the first certificate is needed, because an installation without interns needs none. */
function x509Package(): Promise<typeof X509> {
  loading ??= import('@peculiar/x509').then((x509) => {
    x509.cryptoProvider.set(globalThis.crypto);
    return x509;
  });
  return loading;
}

interface Authority {
  readonly certificate: X509.X509Certificate;
  readonly pem: string;
  readonly key: webcrypto.CryptoKey;
}

/**
 * The certificate authority that only interns of this installation trust. It is created once; its key is sealed in the
 * database. It signs the certificates that the proxy presents to interns for bound hosts.
 */
@Injectable()
export class CertificateAuthority {
  #authority: Promise<Authority> | undefined;
  #leafKeys: Promise<webcrypto.CryptoKeyPair> | undefined;
  readonly #contexts = new LRUCache<string, Promise<SecureContext>>({
    ...atMostEntries(MAX_CACHED_HOSTS),
    ttl: (LEAF_DAYS / 2) * DAY_MS,
  });

  constructor(
    private readonly sql: Sql,
    private readonly box: SecretBox,
    private readonly network: Network,
  ) {}

  /**
   * Certificates in PEM. `authorities`: this authority, and the authorities of EGRESS_CA_FILE for the hosts whose
   * tunnels the proxy does not open.
   */
  async certificates(): Promise<{ readonly authority: string; readonly authorities: string }> {
    const { pem } = await this.#open();
    return { authority: pem, authorities: [pem, ...this.network.ownAuthorities].join('\n') };
  }

  /** The TLS context by which the proxy presents itself to an intern as this host. */
  contextFor(host: string): Promise<SecureContext> {
    let context = this.#contexts.get(host);
    if (!context) {
      context = this.#issue(host);
      this.#contexts.set(host, context);
      context.catch(() => this.#contexts.delete(host));
    }
    return context;
  }

  #open(): Promise<Authority> {
    this.#authority ??= this.sql.transaction((session) => this.#load(session));
    this.#authority.catch(() => (this.#authority = undefined));
    return this.#authority;
  }

  /** Locks the table, so that replicas that start at the same time create only one authority. */
  async #load(session: SqlSession): Promise<Authority> {
    await session.query('lock table egress_authority in exclusive mode');
    const [row] = await session.query<{ certificate: string; data_key_id: string; sealed_key: Buffer }>(
      'select certificate, data_key_id, sealed_key from egress_authority',
    );
    if (!row) return this.#make(session);
    const x509 = await x509Package();
    const pem = await this.box.open(row.data_key_id, BINDING, row.sealed_key, session);
    const key = await webcrypto.subtle.importKey(
      'pkcs8',
      x509.PemConverter.decode(pem.reveal())[0]!,
      ALGORITHM,
      false,
      ['sign'],
    );
    return { certificate: new x509.X509Certificate(row.certificate), pem: row.certificate, key };
  }

  async #make(session: SqlSession): Promise<Authority> {
    const x509 = await x509Package();
    const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=Gatehouse egress',
      ...validFor(AUTHORITY_DAYS),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    const pem = certificate.toString('pem');
    const dataKeyId = await this.box.createDataKey(session);
    const sealed = await this.box.seal(dataKeyId, BINDING, new SecretValue(await privatePem(keys.privateKey)), session);
    await session.query(
      `insert into egress_authority (id, certificate, data_key_id, sealed_key, created_at)
        values (1, $1, $2, $3, clock_timestamp())`,
      [pem, dataKeyId, sealed],
    );
    return { certificate, pem, key: keys.privateKey };
  }

  async #issue(host: string): Promise<SecureContext> {
    const authority = await this.#open();
    const x509 = await x509Package();
    // Use one key for all hosts. The key never leaves this process, and without a new key a certificate takes a quarter
    // of the time.
    const keys = await (this.#leafKeys ??= webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']));
    const certificate = await x509.X509CertificateGenerator.create({
      subject: 'CN=Gatehouse egress host',
      issuer: authority.certificate.subject,
      ...validFor(LEAF_DAYS),
      signingAlgorithm: ALGORITHM,
      signingKey: authority.key,
      publicKey: keys.publicKey,
      extensions: [
        new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        await x509.AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
      ],
    });
    return createSecureContext({
      cert: certificate.toString('pem'),
      key: await privatePem(keys.privateKey),
      minVersion: 'TLSv1.2',
    });
  }
}

/**
 * Valid from one hour ago, to allow for slow clocks. Uses Date.now() instead of the service's Clock, because TLS
 * compares with the system time.
 */
const validFor = (days: number): { notBefore: Date; notAfter: Date } => ({
  notBefore: new Date(Date.now() - 3_600_000),
  notAfter: new Date(Date.now() + days * DAY_MS),
});

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const { PemConverter } = await x509Package();
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
