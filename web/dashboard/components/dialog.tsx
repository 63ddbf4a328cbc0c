import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type DialogProps = {
  title: ReactNode
  opened: boolean
  onClose(): void
  size?: 'md' | 'lg' | 'xl'
  children: ReactNode
}

/** A dialog whose close button has a name. */
export function Dialog({ title, opened, onClose, size = 'md', children }: DialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {children}
    </Modal>
  )
}
