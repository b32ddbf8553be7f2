import { CredentialRests } from '../../../src/channels/credential-rests.js';
import type { TestService } from '../services/test-service.js';

/** Ends the rests of credentials. For tests in which one vendor limits the rate of several calls. */
export const endRests = ({ app }: Pick<TestService, 'app'>): void =>
  app.get(CredentialRests, { strict: false }).clear();
