import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ApiKey } from '../database/entities/api-key.entity.js';
import { sessionOf, type InTransaction } from '../database/session-of.js';
import { Clock } from '../kernel/clock.js';
import { conflict } from '../kernel/errors/errors.js';
import { ApiKeys, type KeyReach, type IssuedKey } from './api-keys.js';
import { KeyAliases } from './keys/key-aliases.js';
import { KeyDirectory } from './key-directory.js';
import type { FormerSecret } from './known-key.js';
import { hashOfKey, labelOfKey, newKeySecret } from './key-secret.js';

/** Replaces the secrets of keys. The row is kept, so limits, balances, settings and records do not change. */
@Injectable()
export class KeyRotation {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly keys: ApiKeys,
    private readonly aliases: KeyAliases,
    private readonly directory: KeyDirectory,
  ) {}

  /**
   * Returns null if the reach has no such key or the key is an intern's. Throws a 409 if the key is disabled, has
   * expired, or belongs to a console session. The former secrets stay valid for at most `graceSeconds`. Rotations of
   * one key are serialised. If another rotation has replaced `hash` and `hash` is still valid, this rotation replaces
   * the new hash.
   */
  async rotate(
    reach: KeyReach,
    hash: string,
    graceSeconds: number,
    inTransaction: InTransaction<ApiKey>,
  ): Promise<IssuedKey | null> {
    const secret = newKeySecret();
    const rotated = await this.em.fork().transactional(async (em) => {
      const key = await this.keys.lock(em, reach, hash);
      if (!key || key.internId !== null) return null;
      this.#assertUsable(key);
      const { no, hash: former, label } = key;
      const change = { hash: hashOfKey(secret), label: labelOfKey(secret), updatedAt: this.clock.now() };
      // Add the alias first, so that the change of the row also notifies every replica of the former hashes.
      await this.aliases.add(sessionOf(em), { no, hash: former, label }, graceSeconds);
      // Bypasses the unit of work, because the hash is the primary key of the row.
      await em.nativeUpdate(ApiKey, { no }, change);
      em.clear();
      const changed = await em.findOneOrFail(ApiKey, { no });
      await inTransaction(changed, sessionOf(em));
      return { former, key: changed };
    });
    if (!rotated) return null;
    this.directory.forget(rotated.former);
    this.directory.forget(rotated.key.hash);
    return { key: rotated.key, secret };
  }

  /** Returns the former secrets that are still valid, newest first; null if the reach has no such key. */
  async formerSecrets(reach: KeyReach, hash: string): Promise<FormerSecret[] | null> {
    const key = await this.keys.find(reach, hash);
    return key && this.aliases.validOf(key.no);
  }

  /**
   * Ends the former secrets immediately. Returns their number, or null if the reach has no such key or the key is an
   * intern's.
   */
  async endFormerSecrets(
    reach: KeyReach,
    hash: string,
    inTransaction: InTransaction<{ readonly key: ApiKey; readonly ended: number }>,
  ): Promise<number | null> {
    const ended = await this.em.fork().transactional(async (em) => {
      const key = await this.keys.lock(em, reach, hash);
      if (!key || key.internId !== null) return null;
      const hashes = await this.aliases.end(sessionOf(em), key.no);
      await inTransaction({ key, ended: hashes.length }, sessionOf(em));
      return hashes;
    });
    for (const former of ended ?? []) this.directory.forget(former);
    return ended && ended.length;
  }

  #assertUsable({ disabled, expiresAt, consoleSessionId }: ApiKey): void {
    // The console session uses its key by hash. A rotation would send a secret to the browser, and this secret would
    // stay valid after the sign-out.
    if (consoleSessionId !== null)
      throw conflict('This API key can be used only by its console session: create a new one');
    if (disabled) throw conflict('This API key is disabled: enable it before you rotate it');
    if (expiresAt !== null && expiresAt <= this.clock.now())
      throw conflict('This API key has expired: create a new one');
  }
}
