import { hostnames, oneOf, providerNames, usdAmount } from './parsers.js';

/** Members and their sign-in. */
export const SIGN_IN_VARIABLES = {
  MEMBER_KEY_LIMIT: {
    parse: usdAmount,
    doc:
      'The most that a developer may give a key of their own as its limit, in USD; a key without a limit gets it. ' +
      'Absent: no bound.',
  },
  AUTH_REQUIRE_S256: {
    parse: oneOf('on', 'off'),
    default: 'off',
    doc:
      'Whether an application must use PKCE with S256 to get a key of a member. off = an application with an https ' +
      'callback may also use plain, or none.',
  },
  FEDERATION_PRIVATE_ISSUERS: {
    parse: hostnames,
    default: '',
    doc:
      'Hosts, separated by commas, of issuers of workload identities whose address is not public, such as a ' +
      'Kubernetes cluster; they may have plain http. Port and path do not matter.',
  },
  OIDC_PROVIDERS: {
    parse: providerNames,
    default: '',
    doc:
      'The identity providers through which members sign in to the console, by names such as corp, separated by ' +
      'commas; see below for their variables.',
  },
  LOCAL_SIGN_IN: {
    parse: oneOf('on', 'link'),
    default: 'on',
    doc:
      'Ways to sign in to the console beside identity providers: on = keys and links of `operator console-link`, ' +
      'link = such links only.',
  },
} as const;
