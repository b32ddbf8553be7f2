import { createHmac, randomBytes } from 'node:crypto';
import { SecretValue } from '../kernel/secret-value.js';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret in the form of Standard Webhooks: the prefix and base64. */
export const newWebhookSecret = (): SecretValue =>
  new SecretValue(PREFIX + randomBytes(SECRET_BYTES).toString('base64'));

/**
 * The headers of Standard Webhooks. Signs with each of the secrets, so that a receiver can still use the previous
 * secret after a rotation.
 */
export function signedHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly SecretValue[],
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.reveal().slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
