import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMembers } from '../../api/members';
import type { Member } from '../../api/records';
import { useMay } from '../../api/session';
import { Facts } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { NotFound } from '../../components/not-found';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ABSENT } from '../../format/amounts';
import { moment } from '../../format/times';
import { SpendOf } from '../../spend/spend-of';
import { MemberActions } from './member-actions';
import { t } from '../../text/translate';
import { Placeholder } from '../../components/placeholder';

/** The spend of all keys of a member, in total and by dimension. */
export function MemberPage(): ReactNode {
  const { id } = useParams({ from: '/members/$id' });
  const members = useMembers();
  return (
    <Loaded query={members} placeholder={<Placeholder h={300} />}>
      {(rows) => {
        const member = rows.find(({ user_id }) => user_id === id);
        return member ? <MemberFacts member={member} /> : <NotFound />;
      }}
    </Loaded>
  );
}

function MemberFacts({ member }: { readonly member: Member }): ReactNode {
  const { user_id: id, name, email, role, deactivated_at, created_at } = member;
  const canWrite = useMay('members.write');
  return (
    <Stack>
      <PageHeader title={name ?? email ?? id} parent={<PageLink to="/members">{t('Members')}</PageLink>}>
        {canWrite && <MemberActions member={member} />}
      </PageHeader>
      {canWrite && <SpendOf filters={[{ field: 'user', operator: 'eq', value: id }]} by="api_key_id" />}
      <Facts
        title={t('About')}
        rows={[
          [t('Email'), email ?? ABSENT],
          [t('Role'), deactivated_at !== null ? t('{role}, deactivated', { role }) : (role ?? ABSENT)],
          [t('Member since'), created_at ? moment(created_at) : ABSENT],
          [t('Id'), id],
        ]}
      />
    </Stack>
  );
}
