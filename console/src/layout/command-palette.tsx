import { Modal, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, type LinkProps } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { modelPath, modelsBy } from '../api/models';
import { useMay } from '../api/session';
import { nameSearch } from '../names/name-store';
import { useNavigation } from './use-navigation';
import { t } from '../text/translate';

interface Place {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly link: Pick<LinkProps, 'to' | 'params'>;
}

const MAX_PER_KIND = 6;
const TYPING_PAUSE_MS = 200;
const MIN_SEARCH_LENGTH = 2;
const CALL_ID = /^gen-[\w-]{8,}$/;

const matches = (text: string, name: string): boolean => name.toLowerCase().includes(text.toLowerCase());

/**
 * The places that match the text: pages, keys, models, and a call by its id. Only requests to the service wait for a
 * pause in the typing.
 */
function usePlaces(text: string): Place[] {
  const groups = useNavigation();
  const [asked] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const hasText = text.length >= MIN_SEARCH_LENGTH;
  const isAsked = asked.length >= MIN_SEARCH_LENGTH;
  const models = useQuery({ ...modelsBy({ q: asked }), enabled: isAsked });
  const readsKeys = useMay('keys.read');
  const names = useQuery({ ...nameSearch(asked), enabled: isAsked && readsKeys });
  const pages = groups.flatMap(({ label, items }) =>
    items
      .filter((item) => matches(text, `${label} ${item.label}`))
      .map(({ to, label: name }): Place => ({ id: to, kind: t('Page'), name, link: { to } })),
  );
  if (!hasText) return pages;
  const found = asked === text ? (names.data?.api_keys ?? []) : [];
  return [
    ...(CALL_ID.test(text)
      ? [{ id: text, kind: t('Call'), name: text, link: { to: '/calls/$id', params: { id: text } } } as const]
      : []),
    ...pages,
    ...found.slice(0, MAX_PER_KIND).map(({ hash, name }): Place => ({
      id: hash,
      kind: t('Key'),
      name,
      link: { to: '/keys/$hash', params: { hash } },
    })),
    ...(asked === text ? (models.data ?? []) : []).slice(0, MAX_PER_KIND).map(({ id }): Place => ({
      id,
      kind: t('Model'),
      name: id,
      link: { to: '/models/$author/$slug', params: modelPath(id) },
    })),
  ];
}

/** Goes to a page, a key, a model or a call by the typed text. */
export default function CommandPalette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const [chosen, choose] = useState(0);
  const places = usePlaces(text.trim());
  const at = Math.min(chosen, places.length - 1);
  const list = useId();
  const navigate = useNavigate();
  const go = (place: Place | undefined): void => {
    if (!place) return;
    onClose();
    void navigate(place.link);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) choose((at + step + places.length) % Math.max(places.length, 1));
    else if (event.key === 'Enter') go(places[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding="xs"
      size="lg"
      aria-label={t('Go to a page, key, model or call')}
    >
      <TextInput
        data-autofocus
        aria-label={t('Go to')}
        placeholder={t('A page, a key, a model, or the id of a call')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          choose(0);
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={places[at] && `${list}-${at}`}
      />
      <div id={list} role="listbox" aria-label={t('Found')} className="places">
        {places.map((place, index) => (
          <UnstyledButton
            key={`${place.kind} ${place.id}`}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            className="place"
            onClick={() => go(place)}
          >
            <span>{place.name}</span>
            <Text span size="xs" c="dimmed">
              {place.kind}
            </Text>
          </UnstyledButton>
        ))}
      </div>
      {places.length === 0 && (
        <Text size="sm" c="dimmed" p="xs" role="status">
          {t('Nothing has this name.')}
        </Text>
      )}
    </Modal>
  );
}
