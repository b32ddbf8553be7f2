import { hostnames, oneOf, providerNames, usdAmount } from './schemas.js';

/** Variables of members and their sign-in. */
export const SIGN_IN_VARIABLES = {
  MEMBER_KEY_LIMIT: {
    schema: usdAmount,
    doc:
      'The maximum limit that developers may set for their own keys, in USD. A key without a limit gets ' +
      'this limit. Absent: no maximum.',
  },
  AUTH_REQUIRE_S256: {
    schema: oneOf('on', 'off'),
    default: 'off',
    doc:
      'Whether an application must use PKCE with S256 to get a key from a member. off = an application ' +
      'with an https callback may also use the method plain, or no PKCE.',
  },
  FEDERATION_PRIVATE_ISSUERS: {
    schema: hostnames,
    default: '',
    doc:
      'Hosts, separated by commas, of issuers of workload identities whose address is not public, such as ' +
      'a Kubernetes cluster. They may use plain http. Port and path are ignored.',
  },
  OIDC_PROVIDERS: {
    schema: providerNames,
    default: '',
    doc:
      'The identity providers through which members sign in to the console, by names such as corp, separated by ' +
      'commas; see below for their variables.',
  },
  LOCAL_SIGN_IN: {
    schema: oneOf('on', 'link'),
    default: 'on',
    doc:
      'The ways to sign in to the console in addition to identity providers: on = keys and links of ' +
      '`operator console-link`, link = only such links.',
  },
} as const;
