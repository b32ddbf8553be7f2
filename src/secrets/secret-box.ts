import { Injectable } from '@nestjs/common';
import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import { Sql, type SqlSession } from '../database/sql.js';
import { GatewayError } from '../kernel/errors.js';
import { SecretValue } from '../kernel/secret-value.js';
import { DataKeys } from './envelope/data-keys.js';
import { KeyRing } from './envelope/key-ring.js';
import { openBytes, sealBytes } from './envelope/sealing.js';

/**
 * Seals secrets and opens them (architecture section 6): each under a data key, which the master key wraps. Everything here fails
 * with `unavailable`, and a sentence that says what to set, where the master key is missing or wrong.
 *
 * A `binding` names the row that holds the sealed bytes, such as `byok:<id>`: elsewhere they do not open.
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

  /** Makes a data key and answers its id (uuid). With the session of a transaction, it is made when that commits. */
  async createDataKey(session?: SqlSession): Promise<string> {
    return session ? this.dataKeys.create(session) : this.sql.transaction((own) => this.dataKeys.create(own));
  }

  /** `session`: needed where the data key was made in that same, still open transaction. */
  async seal(dataKeyId: string, binding: string, secret: SecretValue, session?: SqlSession): Promise<Buffer> {
    const key = await this.dataKeys.find(dataKeyId, session);
    return sealBytes(key, boundTo(dataKeyId, binding), Buffer.from(secret.reveal(), 'utf8'));
  }

  /** Fails with `internal` where the bytes were sealed elsewhere or changed since. Leave an audit row of each use. */
  async open(dataKeyId: string, binding: string, sealed: Uint8Array): Promise<SecretValue> {
    const key = await this.dataKeys.find(dataKeyId);
    const bytes = openBytes(key, boundTo(dataKeyId, binding), sealed);
    if (!bytes)
      throw new GatewayError(
        'internal',
        'This secret cannot be opened: it was sealed for another place, or changed since',
      );
    return new SecretValue(bytes.toString('utf8'));
  }

  /**
   * `sha256:` and the HMAC-SHA-256 of the value in hex, under a subkey of the data key (HKDF-SHA-256): equal values of one vault
   * have equal fingerprints, and outside it a fingerprint says nothing.
   */
  async fingerprint(dataKeyId: string, secret: SecretValue, session?: SqlSession): Promise<string> {
    const key = await this.dataKeys.find(dataKeyId, session);
    return `sha256:${createHmac('sha256', fingerprintKeyOf(key)).update(secret.reveal(), 'utf8').digest('hex')}`;
  }

  /** Everything sealed under it is gone for good. */
  async destroyDataKey(dataKeyId: string, session: SqlSession = this.sql): Promise<void> {
    await this.dataKeys.destroy(dataKeyId, session);
  }
}

const boundTo = (dataKeyId: string, binding: string): string => `${dataKeyId}:${binding}`;

/** Apart from the sealing key, so that the two uses of one data key can say nothing of each other. */
const fingerprintKeyOf = (key: KeyObject): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'gatehouse:fingerprint', 32));
