import { flag, hostname, hostnames, httpUrl, integer, oneOf, text } from './schemas.js';

/** Variables of interns and their vaults. */
export const INTERN_VARIABLES = {
  REGIONAL_HOSTNAMES: {
    schema: hostnames,
    default: '',
    doc:
      'Host names of this service, separated by commas. Requests to interns and vaults under these names are refused ' +
      '(403).',
  },
  INTERN_LIMIT_PER_MEMBER: {
    schema: integer(0, 1_000_000),
    default: '1000',
    doc: 'How many interns one member may have.',
  },
  INTERN_WRITES_ENABLED: {
    schema: flag,
    default: 'true',
    doc: 'false: requests that create, change, provision, suspend or delete interns return 404. Reads remain allowed.',
  },
  INTERN_CHAT_INSTALL_REQUIRED: {
    schema: flag,
    default: 'false',
    doc: 'true: an intern that is created without being provisioned waits as awaiting_chat_install instead of stopped.',
  },
  INTERN_RUNTIME: {
    schema: oneOf('process', 'docker', 'none'),
    default: 'process',
    doc:
      'Where interns run. process: a supervised child process on this machine, without isolation. docker: ' +
      'an isolated container without its own network. none: this replica runs no interns.',
  },
  INTERN_DOCKER_SOCKET: {
    schema: text,
    default: '/var/run/docker.sock',
    doc: 'Socket of the Docker Engine that runs interns, on this machine.',
  },
  INTERN_DOCKER_IMAGE: {
    schema: text,
    default: 'node:24-bookworm-slim',
    doc: 'The image of interns: any image with Node 24 as `node`. It must already be on the machine.',
  },
  INTERN_MEMORY_MB: {
    schema: integer(64, 1_048_576),
    default: '512',
    doc: 'Memory of one intern in a container, in MiB.',
  },
  INTERN_HOST_SUFFIX: {
    schema: hostname,
    default: 'interns.localhost',
    doc: 'Domain below which interns get their host names.',
  },
  INTERN_LEASE_MS: {
    schema: integer(1000, 9999),
    default: '8000',
    doc:
      'The lease of an intern on its replica, in milliseconds. If the replica does not renew it, the ' +
      'runtime ends before the lease expires, and another replica takes over after that.',
  },
  INTERN_PROVISION_TIMEOUT_MS: {
    schema: integer(1000, 3_600_000),
    default: '120000',
    doc: 'How long provisioning may take with all its attempts, in milliseconds.',
  },
  INTERN_TURN_TIMEOUT_MS: {
    schema: integer(1000, 86_400_000),
    default: '300000',
    doc: 'How long an intern may work on one message, in milliseconds. Time spent waiting for answers does not count.',
  },
  INTERN_TURN_MAX_STEPS: {
    schema: integer(1, 10_000),
    default: '50',
    doc: 'The maximum number of model calls of an intern for one message.',
  },
  INTERN_TURN_MAX_TOKENS: {
    schema: integer(1, 1_000_000_000),
    default: '2000000',
    doc: 'How many tokens, input and output together, an intern may use for one message.',
  },
  INTERN_ANSWER_TIMEOUT_MS: {
    schema: integer(1000, 86_400_000),
    default: '300000',
    doc: 'How long a question of an intern waits for its answer, in milliseconds; then its run ends.',
  },
  INTERN_MOVE_TIMEOUT_MS: {
    schema: integer(0, 600_000),
    default: '20000',
    doc:
      'How long a message waits for an intern that moves to another replica, in milliseconds; then it is refused ' +
      'with 503.',
  },
  REPLICA_URL: {
    schema: httpUrl,
    doc:
      'The URL under which other replicas reach this one, such as http://10.0.0.5:3000: they relay messages for the ' +
      'interns that run here. Not needed with one replica.',
  },
  EGRESS_PRIVATE_HOSTS: {
    schema: hostnames,
    default: '',
    doc: 'Host names, separated by commas, that interns may reach although their addresses are private.',
  },
  EGRESS_CA_FILE: {
    schema: text,
    doc:
      'A file with additional certificate authorities (PEM) that the egress proxy and interns trust, for ' +
      'hosts with your own certificates.',
  },
  VAULT_WRITES_ENABLED: {
    schema: flag,
    default: 'true',
    doc: 'false: requests that store, delete or copy secrets return 503. Reads remain allowed.',
  },
} as const;
