import { Button, CloseButton, Group, Menu, Popover } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { t } from '../text/translate';

export interface FilterEditorProps {
  readonly label: string;
  readonly value: string | undefined;
  /** `undefined` removes the filter. */
  readonly onChange: (value: string | undefined) => void;
}

export interface Filter {
  /** The name in the address. */
  readonly name: string;
  readonly label: string;
  /** How a value is shown. */
  readonly textOf: (value: string) => string;
  readonly Editor: (props: FilterEditorProps) => ReactNode;
}

interface FilterBarProps {
  readonly filters: readonly Filter[];
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly onChange: (part: Record<string, string | undefined>) => void;
  readonly children?: ReactNode;
}

/** The active filters, which can be changed and removed, and a menu of the inactive filters. */
export function FilterBar({ filters, values, onChange, children }: FilterBarProps): ReactNode {
  const [opened, open] = useState<string>();
  const shown = filters.filter(({ name }) => values[name] !== undefined || name === opened);
  const others = filters.filter((filter) => !shown.includes(filter));
  const set = (name: string, value: string | undefined): void => {
    open(undefined);
    onChange({ [name]: value });
  };
  return (
    <Group gap="xs" role="group" aria-label={t('Filters')}>
      {children}
      {shown.map((filter) => (
        <FilterChip
          key={filter.name}
          filter={filter}
          value={values[filter.name]}
          isOpen={opened === filter.name}
          onOpen={(isOpen) => open(isOpen ? filter.name : undefined)}
          onChange={(value) => set(filter.name, value)}
        />
      ))}
      {others.length > 0 && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="subtle" size="xs">
              {t('+ Add filter')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ name, label }) => (
              <Menu.Item key={name} onClick={() => setTimeout(() => open(name))}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {filters.filter(({ name }) => values[name] !== undefined).length > 1 && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => onChange(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
        >
          {t('Clear all')}
        </Button>
      )}
    </Group>
  );
}

interface FilterChipProps {
  readonly filter: Filter;
  readonly value: string | undefined;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onChange: (value: string | undefined) => void;
}

function FilterChip({ filter, value, isOpen, onOpen, onChange }: FilterChipProps): ReactNode {
  const { label, textOf, Editor } = filter;
  return (
    <Group gap={0} wrap="nowrap" className="filter-chip">
      <Popover opened={isOpen} onChange={onOpen} position="bottom-start" trapFocus shadow="md" width={300}>
        <Popover.Target>
          <Button variant="light" size="xs" className="filter-value" onClick={() => onOpen(!isOpen)}>
            {label}: {value === undefined ? '…' : textOf(value)}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('Filter by {label}', { label: label.toLowerCase() })}>
          <Editor label={label} value={value} onChange={onChange} />
        </Popover.Dropdown>
      </Popover>
      {value !== undefined && (
        <CloseButton
          size="sm"
          aria-label={t('Remove the filter {label}', { label })}
          onClick={() => onChange(undefined)}
        />
      )}
    </Group>
  );
}
