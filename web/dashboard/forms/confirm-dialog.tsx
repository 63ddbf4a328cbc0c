import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DeleteDialog } from '../../ui/delete-dialog.tsx'
import { Failure } from '../feedback/failure.tsx'

type ConfirmDialogProps = {
  opened: boolean
  onClose(): void
  onConfirm(): void
  confirming: { isPending: boolean; error: unknown }
  title: string
  confirmLabel: string
  /** The name that has to be typed first; undefined asks for nothing. */
  typedName?: string
  typeLabel?: string
  /** For an action that deletes nothing: its button is not red. */
  isHarmless?: boolean
  /** The consequences. */
  children: ReactNode
}

/** Asks for confirmation of an action that cannot be undone, and shows its failure. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, onConfirm, confirming, title, confirmLabel, typedName, typeLabel, isHarmless, children } =
    props
  const { t } = useTranslation()
  const { error, isPending } = confirming
  return (
    <DeleteDialog
      opened={opened}
      onClose={onClose}
      onConfirm={onConfirm}
      busy={isPending}
      title={title}
      typedName={typedName}
      isHarmless={isHarmless}
      failure={error !== null && error !== undefined && <Failure error={error} />}
      labels={{
        confirm: confirmLabel,
        cancel: t('action.cancel'),
        close: t('action.close'),
        type: typeLabel ?? t('action.typeName'),
      }}
    >
      {children}
    </DeleteDialog>
  )
}
