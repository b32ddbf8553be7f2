import { assertMayChange, type MemberEditor } from './member-rules.js';

const editor = (role: 'admin' | 'billing' | 'developer'): MemberEditor => ({
  accountId: 'a',
  keyHash: 'h',
  creatorUserId: 'editor',
  role,
});

describe('the change of a member', () => {
  it.each([
    ['admin', 'owner'],
    ['billing', 'owner'],
    ['developer', 'admin'],
  ] as const)('is refused to the role %s for a member of the role %s, and the message names both roles', (by, role) => {
    expect(() => assertMayChange(editor(by), { userId: 'other', role, isActive: true })).toThrow(
      `The role ${by} may not change a member of the role ${role}`,
    );
  });

  it.each([
    ['admin', 'admin'],
    ['developer', 'viewer'],
  ] as const)('is allowed to the role %s for a member of the role %s', (by, role) => {
    expect(() => assertMayChange(editor(by), { userId: 'other', role, isActive: true })).not.toThrow();
  });
});
