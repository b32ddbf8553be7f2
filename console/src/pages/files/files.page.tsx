import { Button, FileButton, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body, download, upload } from '../../api/client';
import { queries } from '../../api/queries';
import type { FileRecord } from '../../api/records';
import { allWorkspaces } from '../../api/workspaces';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { CursorTable } from '../../table/cursor-table';
import type { Column } from '../../table/data-table';
import { FaultAlert } from '../../components/fault-alert';
import { PageHeader } from '../../components/page-header';
import { saveFile } from '../../components/save-file';
import { useKeptFocus } from '../../components/use-kept-focus';
import { useCursorList, type CursorPage } from '../../table/use-cursor-list';
import { useScope } from '../../scope/use-scope';
import { bytes } from '../../format/amounts';
import { t } from '../../text/translate';

const PAGE = 100;

const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.files });

async function save({ id, filename }: FileRecord): Promise<void> {
  // With this type the browser does not show the bytes as a page.
  saveFile(filename, await download(`/files/${encodeURIComponent(id)}/content`), 'application/octet-stream');
}

async function remove(file_id: string): Promise<void> {
  await api.DELETE('/api/v1/files/{file_id}', { params: { path: { file_id } } });
  await changed();
}

type ListedFile = FileRecord & { readonly workspace: string };

/**
 * A page of the files of one workspace, or of all workspaces one after another. For all, the cursor consists of the
 * position of the workspace and the cursor in that workspace. Workspaces without files are skipped, so that an empty
 * page means that there are no files.
 */
async function pageOf(workspace: string | undefined, from = '0'): Promise<CursorPage<ListedFile>> {
  const workspaces = (await allWorkspaces()).filter(({ id }) => workspace === undefined || id === workspace);
  const place = from.split(' ');
  let cursor = place[1];
  for (let at = Number(place[0]); at < workspaces.length; at++, cursor = undefined) {
    const { id, name } = workspaces[at]!;
    const query = { workspace_id: id, cursor, limit: PAGE };
    const page = await body(api.GET('/api/v1/files', { params: { query } }));
    if (page.data.length === 0) continue;
    const isLast = !page.cursor && at === workspaces.length - 1;
    const next = page.cursor ? `${at} ${page.cursor}` : String(at + 1);
    return { data: page.data.map((file) => ({ ...file, workspace: name })), next_cursor: isLast ? null : next };
  }
  return { data: [], next_cursor: null };
}

/** The files of all workspaces, or of the chosen one, which is also the target of uploads. */
export function FilesPage(): ReactNode {
  const { workspace } = useScope();
  const files = useCursorList(QUERY_KEYS.filesOf(workspace ?? 'all'), (cursor) => pageOf(workspace, cursor));
  const uploading = useMutation({
    mutationFn: (file: File) => upload(`/files${workspace ? `?workspace_id=${workspace}` : ''}`, file),
    onSuccess: changed,
  });
  const button = useKeptFocus(uploading.isPending);
  const saving = useMutation({ mutationFn: save });
  const columns: readonly Column<ListedFile>[] = [
    { header: t('Name'), cell: ({ filename }) => filename },
    { header: t('Workspace'), cell: ({ workspace }) => workspace },
    { header: t('Type'), cell: ({ mime_type }) => mime_type },
    { header: t('Size'), cell: ({ size_bytes }) => bytes(size_bytes), isNumeric: true },
    { header: t('Stored'), cell: ({ created_at }) => <Ago iso={created_at} /> },
    { header: t('Id'), cell: ({ id }) => <code>{id}</code> },
    {
      header: t('Actions'),
      cell: (file) => (
        <Group gap="xs" wrap="nowrap">
          {file.downloadable && (
            <Button size="compact-sm" variant="default" onClick={() => saving.mutate(file)}>
              {t('Download')}
            </Button>
          )}
          <ConfirmButton
            label={t('Delete')}
            isRemoval
            subject={file.filename}
            question={t('The file and its bytes are deleted for good.')}
            onConfirm={() => remove(file.id)}
          />
        </Group>
      ),
    },
  ];
  const error = uploading.error ?? saving.error;
  return (
    <Stack>
      <PageHeader title={t('Files')} about={t('Files that calls name by their id, in place of their contents.')}>
        <FileButton
          onChange={(file) => file && uploading.mutate(file)}
          inputProps={{ 'aria-label': t('File to upload') }}
        >
          {(props) => (
            <Button {...props} ref={button} loading={uploading.isPending}>
              {t('Upload')}
            </Button>
          )}
        </FileButton>
      </PageHeader>
      {error && <FaultAlert error={error} />}
      <CursorTable
        label={t('Files')}
        list={files}
        columns={columns}
        rowKey={({ id }) => id}
        empty={t('No files yet. Upload one to name it in calls.')}
      />
    </Stack>
  );
}
