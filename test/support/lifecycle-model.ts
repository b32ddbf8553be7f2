/** wire-notes section 10, written down a second time, as an independent hand would: pair → result. */
export const LIFECYCLE_MODEL: Record<string, string> = {
  'awaiting_chat_install provision': 'queued', 'stopped provision': 'queued', 'failed provision': 'queued',
  'queued provision': 'same', 'provisioning provision': 'same', 'running provision': 'same',
  'running suspend': 'stopped', 'stopped suspend': 'same',
  'awaiting_chat_install delete': 'destroying', 'queued delete': 'destroying', 'provisioning delete': 'destroying', 'running delete': 'destroying',
  'failed delete': 'destroying', 'stopped delete': 'destroying', 'destroy_failed delete': 'destroying', 'destroying delete': 'same',
  'awaiting_chat_install update': 'same', 'queued update': 'same', 'provisioning update': 'same', 'running update': 'same', 'failed update': 'same', 'stopped update': 'same',
  'queued taken': 'provisioning', 'provisioning booted': 'running', 'provisioning boot-failed': 'failed', 'queued expired': 'failed', 'provisioning expired': 'failed',
  'destroying expired': 'destroy_failed', 'running ended': 'failed', 'destroying torn-down': 'gone', 'destroying teardown-failed': 'destroy_failed',
};
