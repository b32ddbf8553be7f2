import { CredentialRests } from '../../../src/channels/credential-rests.js';
import type { TestService } from '../services/test-service.js';

/** Makes all resting credentials usable again. For tests in which one vendor returns 429 to several calls. */
export const clearCredentialRests = ({ app }: Pick<TestService, 'app'>): void =>
  app.get(CredentialRests, { strict: false }).clear();
