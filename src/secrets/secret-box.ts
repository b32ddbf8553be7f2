import { Injectable } from '@nestjs/common';
import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import { Sql, type SqlSession } from '../database/sql.js';
import { GatewayError } from '../kernel/errors/errors.js';
import { SecretValue } from '../kernel/secret-value.js';
import { DataKeys } from './envelope/data-keys.js';
import { KeyRing } from './envelope/key-ring.js';
import { openBytes, sealBytes } from './envelope/sealing.js';

/**
 * Seals and opens secrets, each under a data key that the master key wraps (architecture section 6). If a method needs
 * the master key and it is missing or wrong, the method throws `unavailable` with a sentence that says what to set.
 *
 * A `binding` identifies the row with the sealed bytes, such as `byok:<id>`. Sealed bytes can be opened only with the
 * same binding.
 */
@Injectable()
export class SecretBox {
  constructor(
    private readonly ring: KeyRing,
    private readonly dataKeys: DataKeys,
    private readonly sql: Sql,
  ) {}

  /** Whether secrets can be sealed and opened now. */
  get available(): boolean {
    return this.ring.problem === undefined;
  }

  /**
   * Creates a data key and returns its id (uuid). `session`: creates the data key in the transaction of this session.
   */
  createDataKey(session?: SqlSession): Promise<string> {
    return session ? this.dataKeys.create(session) : this.sql.transaction((own) => this.dataKeys.create(own));
  }

  /** `session`: required if the data key was created in that session's open transaction. */
  async seal(dataKeyId: string, binding: string, secret: SecretValue, session?: SqlSession): Promise<Buffer> {
    const key = await this.dataKeys.find(dataKeyId, session);
    return sealBytes(key, boundTo(dataKeyId, binding), Buffer.from(secret.reveal(), 'utf8'));
  }

  /**
   * Throws `internal` if the bytes were sealed for another row, or were changed. The caller must write an audit row for
   * each use. `session`: required inside a transaction, because a transaction must not wait for a second connection.
   */
  async open(dataKeyId: string, binding: string, sealed: Uint8Array, session?: SqlSession): Promise<SecretValue> {
    const key = await this.dataKeys.find(dataKeyId, session);
    const bytes = openBytes(key, boundTo(dataKeyId, binding), sealed);
    if (!bytes)
      throw new GatewayError(
        'internal',
        'This secret cannot be opened: it was sealed for another place, or changed since',
      );
    return new SecretValue(bytes.toString('utf8'));
  }

  /**
   * Returns `sha256:` and the HMAC-SHA-256 of the value in hex, under a subkey of the data key (HKDF-SHA-256). Equal
   * values of one vault have equal fingerprints. Fingerprints of different vaults cannot be compared.
   */
  async fingerprint(dataKeyId: string, secret: SecretValue, session?: SqlSession): Promise<string> {
    const key = await this.dataKeys.find(dataKeyId, session);
    return `sha256:${createHmac('sha256', fingerprintKeyOf(key)).update(secret.reveal(), 'utf8').digest('hex')}`;
  }

  /** Destroys the data key, so that nothing sealed under it can be opened again. */
  destroyDataKey(dataKeyId: string, session: SqlSession = this.sql): Promise<void> {
    return this.dataKeys.destroy(dataKeyId, session);
  }
}

const boundTo = (dataKeyId: string, binding: string): string => `${dataKeyId}:${binding}`;

/** A separate derived key, so that fingerprinting and sealing do not use the same key. */
const fingerprintKeyOf = (key: KeyObject): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'gatehouse:fingerprint', 32));
