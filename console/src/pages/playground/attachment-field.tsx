import { Button, FileButton, Group, Image, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ModelRecord } from '../../api/records';
import { bytes } from '../../format/amounts';
import { ACCEPTED, dataUrlOf, readAttachment, refusalOf, takenKinds, type Attachment } from './attachments';
import { t } from '../../text/translate';

export interface Attachments {
  readonly attached: readonly Attachment[];
  /** The problems of the files that were added last. */
  readonly faults: readonly string[];
  readonly add: (files: readonly File[]) => void;
  readonly remove: (attachment: Attachment) => void;
  readonly clear: () => void;
}

/** The files for the prompt that is being typed. */
export function useAttachments(): Attachments {
  const [attached, setAttached] = useState<readonly Attachment[]>([]);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const add = async (files: readonly File[]): Promise<void> => {
    const read = await Promise.allSettled(files.map(readAttachment));
    setFaults(read.flatMap((result) => (result.status === 'rejected' ? (result.reason as Error).message : [])));
    const good = read.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (good.length > 0) setAttached((now) => [...now, ...good]);
  };
  return {
    attached,
    faults,
    add: (files) => void add(files),
    remove: (gone) => setAttached((now) => now.filter((each) => each !== gone)),
    clear: () => {
      setAttached([]);
      setFaults([]);
    },
  };
}

interface AttachmentFieldProps {
  readonly models: readonly ModelRecord[];
  readonly attachments: Attachments;
  /** The reason why the prompt cannot be sent with these files. */
  readonly fault: string | undefined;
}

/** Adds pictures and files to a prompt, if the models accept them. */
export function AttachmentField({ models, attachments, fault }: AttachmentFieldProps): ReactNode {
  const { attached, faults, add, remove } = attachments;
  const kinds = takenKinds(models);
  const refusal = refusalOf(models);
  return (
    <>
      <Group gap="xs">
        <FileButton multiple accept={kinds.map((kind) => ACCEPTED[kind]).join(',')} onChange={add}>
          {(props) => (
            <Button {...props} variant="default" size="xs" disabled={kinds.length === 0}>
              {t('Attach')}
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed" className="wrap">
          {kinds.length > 0 && `${t('Or paste, or drop here.')} `}
          {refusal}
        </Text>
      </Group>
      {attached.length > 0 && <AttachmentList attached={attached} onRemove={remove} />}
      {[...faults, ...(fault === undefined ? [] : [fault])].map((text) => (
        <Text key={text} size="sm" c="red" role="alert" className="wrap">
          {text}
        </Text>
      ))}
    </>
  );
}

interface AttachmentListProps {
  readonly attached: readonly Attachment[];
  readonly onRemove?: (attachment: Attachment) => void;
}

/** Files with their names and sizes, and small versions of pictures. */
export function AttachmentList({ attached, onRemove }: AttachmentListProps): ReactNode {
  return (
    <Group gap="xs" component="ul" className="attachments" aria-label={t('Files')}>
      {attached.map((each, at) => (
        <Group key={at} component="li" gap={6} wrap="nowrap">
          {each.kind === 'image' && each.base64 !== null && (
            <Image src={dataUrlOf(each)} alt="" w={40} h={40} fit="cover" radius="sm" />
          )}
          <Text size="xs" className="wrap">
            {each.name}, {bytes(each.bytes)}
            {each.base64 === null && `, ${t('not kept in this browser')}`}
          </Text>
          {onRemove && (
            <Button
              variant="subtle"
              size="compact-xs"
              aria-label={t('Remove {name}', { name: each.name })}
              onClick={() => onRemove(each)}
            >
              ×
            </Button>
          )}
        </Group>
      ))}
    </Group>
  );
}
