import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../text/translate';
import { OutsideRowMenu } from './row-menu';

/**
 * A window with a title and a button that closes it. Its actions are shown as buttons, not as items of a menu, even if
 * a row's menu opened the window.
 */
export function Dialog({ children, ...modal }: ModalProps): ReactNode {
  return (
    <Modal closeButtonProps={{ 'aria-label': t('Close') }} {...modal}>
      <OutsideRowMenu>{children}</OutsideRowMenu>
    </Modal>
  );
}
