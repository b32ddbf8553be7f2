import { Button, FileButton, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, body, download, upload } from '../../api/client';
import { queries } from '../../api/queries';
import type { FileRecord } from '../../api/records';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { CursorTable } from '../../components/cursor-table';
import type { Column } from '../../components/data-table';
import { FaultAlert } from '../../components/fault-alert';
import { PageHeader } from '../../components/page-header';
import { saveFile } from '../../components/save-file';
import { useKeptFocus } from '../../components/use-kept-focus';
import { useCursorList } from '../../components/use-cursor-list';
import { bytes } from '../../format/amounts';

const FILES = ['files'] as const;
const PAGE = 100;

const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: FILES });

async function save({ id, filename }: FileRecord): Promise<void> {
  // The type keeps the browser from showing the bytes as a page.
  saveFile(filename, await download(`/files/${encodeURIComponent(id)}/content`), 'application/octet-stream');
}

async function remove(file_id: string): Promise<void> {
  await api.DELETE('/api/v1/files/{file_id}', { params: { path: { file_id } } });
  await changed();
}

/** The files of the default workspace. */
export function FilesPage(): ReactNode {
  const files = useCursorList(FILES, async (cursor) => {
    const { data, cursor: next } = await body(api.GET('/api/v1/files', { params: { query: { cursor, limit: PAGE } } }));
    return { data, next_cursor: next };
  });
  const uploading = useMutation({ mutationFn: (file: File) => upload('/files', file), onSuccess: changed });
  const button = useKeptFocus(uploading.isPending);
  const saving = useMutation({ mutationFn: save });
  const columns: readonly Column<FileRecord>[] = [
    { header: 'Name', cell: ({ filename }) => filename },
    { header: 'Type', cell: ({ mime_type }) => mime_type },
    { header: 'Size', cell: ({ size_bytes }) => bytes(size_bytes), isNumeric: true },
    { header: 'Stored', cell: ({ created_at }) => <Ago iso={created_at} /> },
    { header: 'Id', cell: ({ id }) => <code>{id}</code> },
    {
      header: 'Actions',
      cell: (file) => (
        <Group gap="xs" wrap="nowrap">
          {file.downloadable && (
            <Button size="compact-sm" variant="default" onClick={() => saving.mutate(file)}>
              Download
            </Button>
          )}
          <ConfirmButton
            label="Delete"
            subject={file.filename}
            question="The file and its bytes are deleted for good."
            act={() => remove(file.id)}
          />
        </Group>
      ),
    },
  ];
  const error = uploading.error ?? saving.error;
  return (
    <Stack>
      <PageHeader title="Files" about="Files that calls name by their id, in place of their contents.">
        <FileButton onChange={(file) => file && uploading.mutate(file)} inputProps={{ 'aria-label': 'File to upload' }}>
          {(props) => (
            <Button {...props} ref={button} loading={uploading.isPending}>
              Upload
            </Button>
          )}
        </FileButton>
      </PageHeader>
      {error && <FaultAlert error={error} />}
      <CursorTable
        label="Files"
        list={files}
        columns={columns}
        rowKey={({ id }) => id}
        empty="There is no file yet. Upload one to name it in calls."
      />
    </Stack>
  );
}
