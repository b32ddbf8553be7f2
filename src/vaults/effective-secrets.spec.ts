import type { AuditTrail } from '../audit/audit-trail.js';
import type { Sql } from '../database/sql.js';
import { SecretValue } from '../kernel/secret-value.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { EffectiveSecrets } from './effective-secrets.js';

describe('the release of a secret', () => {
  const steps: string[] = [];
  const sql = { query: async () => [{ hosts: ['api.bound.test'], sealed: Buffer.alloc(0) }] } as unknown as Sql;
  const audit = { record: async () => void steps.push('audited') } as unknown as AuditTrail;
  const box = {
    open: async () => {
      steps.push('opened');
      return new SecretValue('value');
    },
  } as unknown as SecretBox;
  const secrets = new EffectiveSecrets(sql, box, audit);
  beforeEach(() => void steps.splice(0));

  it('is audited before the secret is opened for the host to which it is bound', async () => {
    expect(await secrets.release('intern', 'api_token', 'api.bound.test')).toEqual({ value: expect.any(SecretValue) });
    expect(steps).toEqual(['audited', 'opened']);
  });

  it.each(['sub.api.bound.test', 'evil-api.bound.test', 'bound.test', 'api.bound.test.evil.test', 'api.bound.tes', ''])(
    'is refused for another host: "%s"',
    async (host) => {
      expect(await secrets.release('intern', 'api_token', host)).toEqual({ refused: 'not-bound' });
      expect(steps).toEqual([]);
    },
  );
});
