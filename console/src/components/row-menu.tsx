import { ActionIcon, Button, Menu, type ButtonProps } from '@mantine/core';
import { createContext, use, useMemo, useRef, useState, type ReactNode, type Ref, type RefObject } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../text/translate';

interface OpenMenu {
  /** The element of the items; null while the menu is closed. */
  readonly list: HTMLElement | null;
  readonly target: RefObject<HTMLButtonElement | null>;
  readonly close: () => void;
}

const RowMenuContext = createContext<OpenMenu | null>(null);

interface RowMenuProps {
  /** The name of the row's object, for the accessible name. */
  readonly name: string;
  /** Components with an `ActionButton`, which is an item here. */
  readonly children: ReactNode;
}

/**
 * The actions of a row in a menu. They are not children of the list of items, so that the dialog of an item stays
 * open when the menu closes.
 */
export function RowMenu({ name, children }: RowMenuProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [list, setList] = useState<HTMLElement | null>(null);
  const target = useRef<HTMLButtonElement>(null);
  const menu = useMemo(() => ({ list, target, close: () => setOpen(false) }), [list]);
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      withinPortal
      // With no duration, the arrow keys work at once, because the list gets the focus after the transition.
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <ActionIcon ref={target} variant="subtle" color="gray" aria-label={t('Actions of {name}', { name })}>
          ⋯
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div ref={setList} role="presentation" />
      </Menu.Dropdown>
      <RowMenuContext value={menu}>{children}</RowMenuContext>
    </Menu>
  );
}

/** For the content of a dialog that an item opens: each `ActionButton` in it is a button. */
export function OutsideRowMenu({ children }: { readonly children: ReactNode }): ReactNode {
  return <RowMenuContext value={null}>{children}</RowMenuContext>;
}

interface ActionButtonProps extends ButtonProps {
  readonly label: string;
  readonly 'aria-label'?: string;
  readonly id?: string;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onClick: () => void;
}

/** A button; inside the menu of a row, an item of that menu. */
export function ActionButton({ label, onClick, ref, ...look }: ActionButtonProps): ReactNode {
  const menu = use(RowMenuContext);
  if (!menu)
    return (
      <Button ref={ref} onClick={onClick} {...look}>
        {label}
      </Button>
    );
  const back = (): void => menu.target.current?.focus();
  return (
    menu.list &&
    createPortal(
      <Menu.Item
        aria-label={look['aria-label']}
        c={look.c}
        onClick={() => {
          // Focus the menu's button first, because a closing dialog returns the focus to the element that had it.
          back();
          onClick();
        }}
        onKeyDown={({ key }) => {
          if (key !== 'Escape') return;
          menu.close();
          back();
        }}
      >
        {label}
      </Menu.Item>,
      menu.list,
    )
  );
}
