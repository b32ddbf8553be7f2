import type { CredentialSchema } from './sdk-credentials.js';

/** An API key, or an access key that requests are signed with. */
export const BEDROCK_CREDENTIAL: CredentialSchema = {
  members: [
    ['region', 'apiKey'],
    ['region', 'accessKeyId', 'secretAccessKey'],
  ],
  labels: ['region'],
  read: ({ region, apiKey, accessKeyId, secretAccessKey, sessionToken }) => {
    const baseUrl = `https://bedrock-runtime.${region}.amazonaws.com`;
    return { settings: { region, ...(apiKey ? { apiKey } : {}), accessKeyId, secretAccessKey, sessionToken }, baseUrl };
  },
};

/** A service account, with the member names that the SDK package uses. */
export const VERTEX_CREDENTIAL: CredentialSchema = {
  members: [['project', 'location', 'clientEmail', 'privateKey']],
  labels: ['project', 'location'],
  read: ({ project, location, clientEmail, privateKey }) => ({
    settings: { project, location, clientEmail, privateKey },
    baseUrl: `https://${vertexHost(location!)}`,
  }),
};

/** An API key, with the name of a resource or with any https base URL. */
export const AZURE_CREDENTIAL: CredentialSchema = {
  members: [
    ['apiKey', 'resourceName'],
    ['apiKey', 'baseURL'],
  ],
  labels: ['resourceName'],
  orPlainKey: true,
  read: ({ apiKey, resourceName, baseURL }) => {
    const baseUrl = baseURL ?? `https://${resourceName}.openai.azure.com/openai`;
    if (new URL(baseUrl).protocol !== 'https:') throw new Error('not https');
    return { settings: { apiKey }, baseUrl, isAnyAddress: baseURL !== undefined };
  },
};

function vertexHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  return location === 'eu' || location === 'us'
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-aiplatform.googleapis.com`;
}
