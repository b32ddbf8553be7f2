import { flag, hostname, hostnames, httpUrl, integer, oneOf, text } from './parsers.js';

/** Variables of interns and their vaults. */
export const INTERN_VARIABLES = {
  REGIONAL_HOSTNAMES: {
    parse: hostnames,
    default: '',
    doc: 'Host names, separated by commas, on which interns and vaults are refused (403).',
  },
  INTERN_LIMIT_PER_MEMBER: {
    parse: integer(0, 1_000_000),
    default: '1000',
    doc: 'How many interns one member may have.',
  },
  INTERN_WRITES_ENABLED: {
    parse: flag,
    default: 'true',
    doc: 'false: creating, changing, provisioning, suspending and deleting interns answer 404; reading goes on.',
  },
  INTERN_CHAT_INSTALL_REQUIRED: {
    parse: flag,
    default: 'false',
    doc: 'true: an intern that is created without being provisioned waits as awaiting_chat_install instead of stopped.',
  },
  INTERN_RUNTIME: {
    parse: oneOf('process', 'docker', 'none'),
    default: 'process',
    doc:
      'Where interns run. process: a supervised child process on this machine, a convenience and no ' +
      'boundary. docker: a container without a network of its own, the isolation boundary. none: this ' +
      'replica runs none.',
  },
  INTERN_DOCKER_SOCKET: {
    parse: text,
    default: '/var/run/docker.sock',
    doc: 'Socket of the Docker Engine that runs interns, on this machine.',
  },
  INTERN_DOCKER_IMAGE: {
    parse: text,
    default: 'node:24-bookworm-slim',
    doc: 'Image of interns: any with Node 24 as `node`. It must be on the machine already.',
  },
  INTERN_MEMORY_MB: {
    parse: integer(64, 1_048_576),
    default: '512',
    doc: 'Memory of one intern in a container, in MiB.',
  },
  INTERN_HOST_SUFFIX: {
    parse: hostname,
    default: 'interns.localhost',
    doc: 'Domain below which interns get their host names.',
  },
  INTERN_LEASE_MS: {
    parse: integer(1000, 9999),
    default: '8000',
    doc:
      'How long an intern belongs to a replica that no longer says so, in milliseconds: its runtime ends ' +
      'before that, and another replica takes over after it.',
  },
  INTERN_PROVISION_TIMEOUT_MS: {
    parse: integer(1000, 3_600_000),
    default: '120000',
    doc: 'How long provisioning may take with all its attempts, in milliseconds.',
  },
  INTERN_TURN_TIMEOUT_MS: {
    parse: integer(1000, 86_400_000),
    default: '300000',
    doc: 'How long an intern may work on one message, without the waiting for answers, in milliseconds.',
  },
  INTERN_TURN_MAX_STEPS: {
    parse: integer(1, 10_000),
    default: '50',
    doc: 'How many calls of its model an intern may make for one message.',
  },
  INTERN_TURN_MAX_TOKENS: {
    parse: integer(1, 1_000_000_000),
    default: '2000000',
    doc: 'How many tokens, input and output together, an intern may use for one message.',
  },
  INTERN_ANSWER_TIMEOUT_MS: {
    parse: integer(1000, 86_400_000),
    default: '300000',
    doc: 'How long a question of an intern waits for its answer, in milliseconds; then its run ends.',
  },
  REPLICA_URL: {
    parse: httpUrl,
    doc:
      'The URL under which other replicas reach this one, such as http://10.0.0.5:3000: they relay messages for the ' +
      'interns that run here. Not needed with one replica.',
  },
  EGRESS_PRIVATE_HOSTS: {
    parse: hostnames,
    default: '',
    doc: 'Host names, separated by commas, that interns may reach although they lead to private addresses.',
  },
  EGRESS_CA_FILE: {
    parse: text,
    doc:
      'File with further certificate authorities (PEM) that the egress proxy and interns trust, for hosts ' +
      'with certificates of your own.',
  },
  VAULT_WRITES_ENABLED: {
    parse: flag,
    default: 'true',
    doc: 'false: storing, deleting and copying secrets answer 503; reading goes on.',
  },
} as const;
